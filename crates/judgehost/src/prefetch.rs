//! Does the tasks that give no result: the server asks for scripts and test cases to be fetched ahead.

use crate::tasks::{CompareConfig, CompileConfig, RunConfig, Task};
use crate::trouble::Trouble;
use crate::workplace::Workplace;

/// Does a task of any type other than `judging_run`. Does nothing for unknown types.
pub(crate) fn run(workplace: &Workplace<'_>, task: &Task) -> Result<(), Trouble> {
    if task.kind != "prefetch" {
        return Ok(());
    }
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
