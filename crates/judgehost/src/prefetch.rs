//! Fetches scripts and test cases ahead, so that the next judging begins at once.

use crate::defaults::Role;
use crate::tasks::{CompareConfig, CompileConfig, Id, RunConfig, ScriptLimits, Task};
use crate::trouble::Trouble;
use crate::workplace::Workplace;

/// Fetches what the task names, and builds its scripts. Scripts that the judge can replace are fetched when they are
/// needed.
pub(crate) fn run(workplace: &Workplace<'_>, task: &Task) -> Result<(), Trouble> {
    let compare: CompareConfig = read(task.compare_config.as_deref());
    let compile: CompileConfig = read(task.compile_config.as_deref());
    let run: RunConfig = read(task.run_config.as_deref());
    script(workplace, Role::Compare, task.compare_script_id.as_ref(), &compare.hash, compare.limits)?;
    script(workplace, Role::Compile, task.compile_script_id.as_ref(), &compile.hash, compile.limits)?;
    script(workplace, Role::Run, task.run_script_id.as_ref(), &run.hash, compare.limits)?;
    if task.testcase_id.is_some() {
        workplace.test_case(task)?;
    }
    Ok(())
}

fn script(
    workplace: &Workplace<'_>,
    role: Role,
    id: Option<&Id>,
    hash: &str,
    limits: ScriptLimits,
) -> Result<(), Trouble> {
    match id {
        Some(id) if workplace.choices.replaceable(role, hash).is_none() => {
            workplace.script(role.word(), id, hash, limits).map(drop)
        }
        _ => Ok(()),
    }
}

/// Reads a configuration. A configuration that cannot be read is as good as none, because prefetching may fail.
fn read<T: Default + serde::de::DeserializeOwned>(text: Option<&str>) -> T {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
