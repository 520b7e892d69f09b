//! Sends the whole output of a submission on a test case, for which the jury can ask after a judging.

use referee_files::temporary;
use referee_judge::Settings;

use crate::job::{open, preparing};
use crate::tasks::Task;
use crate::trouble::Trouble;
use crate::workplace::{Configuration, Workplace};

/// Runs the submission of a judging once more on the test case of `task`, and sends its whole output. Does nothing if the
/// jury asks for a debug package instead, or if the judging is too old.
pub(crate) fn run(workplace: &Workplace<'_>, task: &Task) -> Result<(), Trouble> {
    let (None, Some(job), Some(case)) = (&task.run_script_id, &task.jobid, &task.testcase_id) else { return Ok(()) };
    let Some(original) = workplace.past.find(job, case) else {
        return Err(Trouble::Drop(format!("the judging {job} is not among the last ones of this judgehost")));
    };
    let output = output(workplace, &original)?;
    Ok(workplace.api.add_debug_info(&task.judgetaskid, "output_run", &output)?)
}

/// Judges a task again, and returns the whole output of the submission, up to the output limit.
fn output(workplace: &Workplace<'_>, task: &Task) -> Result<Vec<u8>, Trouble> {
    let configuration = Configuration::of(task, workplace.api)?;
    let problem = configuration.problem();
    let folder = temporary::folder("judgehost").map_err(preparing)?;
    let validator = workplace.validator(task, &configuration)?;
    let package = problem.package(folder.path(), &validator).map_err(preparing)?;
    let settings = problem.settings(workplace.settings, &package, workplace.options);
    let settings = Settings { written_bytes: Some(usize::MAX), ..settings };
    let trials = open(task, &package, &settings, &configuration)?;
    let compiled = workplace.compiled(task, &trials, &settings, &configuration)?;
    let (Some(program), Some(like)) = (compiled.program, package.cases.first()) else {
        return Err(Trouble::Drop("the submission does not compile".to_owned()));
    };
    let files = workplace.test_case(task)?;
    let case = trials.case_of_files(like, &files.join("input"), &files.join("output"))?;
    let result = trials.judge(&program, &case)?;
    Ok(result.written.map(|written| written.stdout).unwrap_or_default())
}
