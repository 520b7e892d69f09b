//! Sends what the jury asks for after a judging: the whole output of a submission on a test case, or a package with
//! everything that the judgehost knows about a judging. The judgehost runs the submission once more for that.

use std::fs;
use std::io;
use std::path::Path;

use referee_files::temporary;
use referee_judge::{CaseResult, Settings};

use crate::executable::Workshop;
use crate::files;
use crate::job::{Judging, open};
use crate::tasks::{Id, RunConfig, Task, configuration_or_default};
use crate::trouble::{Trouble, preparing};
use crate::workplace::{Configuration, Workplace};

/// The file that a debug script makes.
const PACKAGE: &str = "package";

/// Does a task of the type `debug_info`. Fails with [`Trouble::Drop`] if the judging is too old.
pub(crate) fn run(workplace: &Workplace<'_>, task: &Task) -> Result<(), Trouble> {
    let Some(job) = &task.jobid else { return Ok(()) };
    let is_wanted = |one: &Task| task.testcase_id.is_none() || one.testcase_id == task.testcase_id;
    let tasks: Vec<_> = workplace.past.tasks(job).into_iter().filter(is_wanted).collect();
    let Some(first) = tasks.first() else {
        return Err(Trouble::Drop(format!("the judging {job} is not among the last ones of this judgehost")));
    };
    let (field, content) = if let Some(script) = &task.run_script_id {
        ("full_debug", package(workplace, script, task, &tasks)?)
    } else {
        let written = results(workplace, &[first])?.into_iter().next().and_then(|result| result.written);
        ("output_run", written.map(|written| written.stdout).unwrap_or_default())
    };
    Ok(workplace.api.add_debug_info(&task.judgetaskid, field, &content)?)
}

/// Judges the tasks again, which belong to one judging. The results contain the whole output, up to the output limit.
fn results(workplace: &Workplace<'_>, tasks: &[&Task]) -> Result<Vec<CaseResult>, Trouble> {
    let Some(first) = tasks.first() else { return Ok(Vec::new()) };
    let configuration = Configuration::of(first, workplace.api)?;
    let problem = configuration.problem();
    let validation = workplace.validation(first, &configuration)?;
    let package = workplace.packages.get(&problem, &validation).map_err(preparing)?;
    let settings = problem.settings(workplace.settings, &package, workplace.options);
    let settings = Settings { written_bytes: Some(usize::MAX), ..settings };
    let trials = open(first, &package, &settings, &configuration)?;
    let sources = workplace.api.sources(first)?;
    let compiled = workplace.compiled(first, sources, &trials, &settings, &configuration)?;
    let Some(program) = compiled.program else {
        return Err(Trouble::Drop("the submission does not compile".to_owned()));
    };
    let judging = Judging { trials: &trials, program: &program, package: &package, configuration: &configuration };
    tasks.iter().map(|task| judging.result(&workplace.test_case(task)?)).collect()
}

/// Runs the server's debug script as `run FOLDER FILE` on a folder with what belongs to the judging. Returns the file.
fn package(workplace: &Workplace<'_>, script: &Id, task: &Task, tasks: &[Task]) -> Result<Vec<u8>, Trouble> {
    let config: RunConfig = configuration_or_default(task.run_config.as_deref());
    let limits = workplace.api.config()?.script_limits;
    let script = workplace.script("debug", script, &config.hash, limits)?;
    let folder = temporary::folder("judgehost").map_err(preparing)?;
    let judging = folder.path().join("judging");
    fs::create_dir(&judging).map_err(preparing)?;
    fill(workplace, tasks, &judging)?;
    let workshop = Workshop::open(workplace.settings)?;
    workshop.add(&script, "script")?;
    workshop.add(&judging, "judging")?;
    let made = temporary::folder("judgehost").map_err(preparing)?;
    let commands = format!("exec \"$here/script/run\" \"$here/judging\" \"$PWD/{PACKAGE}\" 2>&1");
    let (_, copied) = workshop.run(&commands, Vec::new(), limits.of_run(), made.path())?;
    copied.map_err(|reason| Trouble::Drop(format!("the debug package cannot be copied: {reason}")))?;
    fs::read(made.path().join(PACKAGE)).map_err(|_| Trouble::Drop("the debug script made no file".to_owned()))
}

/// Writes the sources of the submission. For each test case, writes its files, the outputs of the submission and the
/// result.
fn fill(workplace: &Workplace<'_>, tasks: &[Task], folder: &Path) -> Result<(), Trouble> {
    let Some(first) = tasks.first() else { return Ok(()) };
    let sources = folder.join("compile");
    fs::create_dir(&sources).map_err(preparing)?;
    files::write_sources(&sources, workplace.api.sources(first)?)
        .map_err(|error| Trouble::Drop(format!("the sources cannot be used: {error}")))?;
    let results = results(workplace, &tasks.iter().collect::<Vec<_>>())?;
    for (task, result) in tasks.iter().zip(&results) {
        let case = workplace.test_case(task)?;
        let name = files::plain(&format!("testcase{}", task.testcase_id.clone().unwrap_or_default()));
        write_case(&folder.join(name), &case, result).map_err(preparing)?;
    }
    Ok(())
}

fn write_case(folder: &Path, case: &Path, result: &CaseResult) -> io::Result<()> {
    fs::create_dir(folder)?;
    for (from, to) in [("input", "testdata.in"), ("output", "testdata.out")] {
        fs::copy(case.join(from), folder.join(to))?;
    }
    let written = result.written.as_deref().cloned().unwrap_or_default();
    fs::write(folder.join("program.out"), &written.stdout)?;
    fs::write(folder.join("program.err"), &written.stderr)?;
    let number = |value: Option<f64>| value.map_or("unknown".to_owned(), |value| format!("{value:.3}"));
    let (cpu, wall) = (number(result.cpu_seconds), number(result.wall_seconds));
    let message = result.message.clone().unwrap_or_default();
    let text = format!("verdict: {}\ncpu-time: {cpu}\nwall-time: {wall}\n{message}\n", result.verdict);
    fs::write(folder.join("result.txt"), text)
}
