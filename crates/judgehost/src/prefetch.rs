//! Fetches scripts and test cases ahead, so that the next judging begins at once.

use crate::tasks::{CompareConfig, CompileConfig, RunConfig, Task};
use crate::trouble::Trouble;
use crate::workplace::Workplace;

/// Fetches what the task names, and builds its scripts.
pub(crate) fn run(workplace: &Workplace<'_>, task: &Task) -> Result<(), Trouble> {
    if let Some(id) = &task.compare_script_id {
        let config: CompareConfig = read(task.compare_config.as_deref());
        workplace.script("compare", id, &config.hash, config.limits())?;
    }
    if let Some(id) = &task.compile_script_id {
        let config: CompileConfig = read(task.compile_config.as_deref());
        workplace.script("compile", id, &config.hash, config.limits())?;
    }
    if let Some(id) = &task.run_script_id {
        let (config, limits): (RunConfig, CompareConfig) =
            (read(task.run_config.as_deref()), read(task.compare_config.as_deref()));
        workplace.script("run", id, &config.hash, limits.limits())?;
    }
    if task.testcase_id.is_some() {
        workplace.test_case(task)?;
    }
    Ok(())
}

/// Reads a configuration. A configuration that cannot be read is as good as none, because prefetching may fail.
fn read<T: Default + serde::de::DeserializeOwned>(text: Option<&str>) -> T {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
