//! Fetches scripts and test cases ahead, so that the next judging begins at once.

use crate::defaults::Role;
use crate::tasks::{CompareConfig, CompileConfig, Id, RunConfig, ScriptLimits, Task, configuration_or_default};
use crate::trouble::Trouble;
use crate::workplace::Workplace;

/// Fetches what the task names, and builds its scripts. Scripts that the judge can replace are fetched when they are
/// needed.
pub(crate) fn run(workplace: &Workplace<'_>, task: &Task) -> Result<(), Trouble> {
    let compare: CompareConfig = configuration_or_default(task.compare_config.as_deref());
    let compile: CompileConfig = configuration_or_default(task.compile_config.as_deref());
    let run: RunConfig = configuration_or_default(task.run_config.as_deref());
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
