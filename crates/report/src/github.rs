//! Writes annotations for GitHub's workflows: each finding appears beside the line that it is about.
//!
//! Each finding is a workflow command. It is written to the same stream as the report for people, because the runner
//! searches that stream for commands: `::error file=problem.yaml,line=3,col=5,title=...::message`. GitHub documents
//! these commands under "Workflow commands".

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Report;
use super::hunted::legality;
use referee_event::{
    BuildFinished, CaseFinished, CrosscheckFinished, Event, Gravity, HuntFinished, MutantFinished, StrengthFinished,
    SubmissionFinished, SurvivorHunted, VerifyFinding,
};
use referee_grading::verdict::Verdict;
use referee_text::printable::{printable, without_inner_commands};

/// Finds the paths of the files that events name.
#[derive(Clone, Debug, Default)]
pub struct FilePaths {
    /// The package's folder; `None` if the package is an archive or ships with `referee`.
    pub package: Option<PathBuf>,
    /// Whether the programs belong to the package. If so, their names are relative to the package's folder or to its
    /// subfolder `submissions`. Otherwise their names are paths.
    pub own_programs: bool,
}

impl FilePaths {
    /// Returns the path of a program; `None` if it is unknown.
    fn program(&self, name: &str) -> Option<PathBuf> {
        if !self.own_programs {
            return Some(PathBuf::from(name));
        }
        // Names of validators are relative to the package, names of submissions to its folder `submissions`.
        let is_validator = name.split('/').next().is_some_and(|folder| folder.contains("validator"));
        let below = if is_validator { Path::new("") } else { Path::new("submissions") };
        Some(self.package.as_ref()?.join(below).join(name))
    }
}

/// Writes workflow commands.
pub struct Github<W: Write> {
    out: W,
    paths: FilePaths,
    build: Option<BuildFinished>,
    /// The first case of the current submission that was not accepted; `None` if there is none so far.
    failure: Option<CaseFinished>,
    survivors: BTreeMap<usize, MutantFinished>,
}

/// The severity, in GitHub's words.
#[derive(Clone, Copy)]
enum Level {
    Error,
    Warning,
}

/// An annotation and its position.
#[derive(Default)]
struct Note {
    file: Option<PathBuf>,
    line: Option<usize>,
    column: Option<usize>,
    title: String,
    message: String,
}

impl<W: Write> Github<W> {
    /// Writes the commands to `out`.
    pub fn new(out: W, paths: FilePaths) -> Self {
        Github { out, paths, build: None, failure: None, survivors: BTreeMap::new() }
    }

    fn annotate(&mut self, level: Level, note: &Note) -> io::Result<()> {
        let level = match level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        let number = |name: &str, number: Option<usize>| number.map(|number| format!("{name}={number}"));
        let file = note.file.as_ref().map(|file| format!("file={}", property(&file.display().to_string())));
        let title = Some(format!("title={}", property(&note.title)));
        let all = [file, number("line", note.line), number("col", note.column), title];
        let properties: Vec<_> = all.into_iter().flatten().collect();
        writeln!(self.out, "::{level} {}::{}", properties.join(","), data(&note.message))
    }

    fn submission(&mut self, done: &SubmissionFinished) -> io::Result<()> {
        let (build, failure) = (self.build.take(), self.failure.take());
        if done.as_wanted {
            return Ok(());
        }
        let place = done.first_failing_case.as_ref().map(|case| format!(" on {case}")).unwrap_or_default();
        let mut words: Vec<String> = done.breaches.iter().map(ToString::to_string).collect();
        words.extend(build.filter(|build| !build.ok).and_then(|build| build.message));
        words.extend(failure.and_then(|case| case.message));
        words.extend(done.message.clone());
        let title = format!("{}: {}{place}", done.submission, done.verdict);
        let message = if words.is_empty() { title.clone() } else { words.join("\n") };
        // The name of a student is not the path of a file.
        let file = if done.student.is_some() { None } else { self.paths.program(&done.submission) };
        self.annotate(Level::Error, &Note { file, title, message, ..Note::default() })
    }

    fn finding(&mut self, finding: &VerifyFinding) -> io::Result<()> {
        let level = match finding.severity {
            Gravity::Error => Level::Error,
            Gravity::Warning => Level::Warning,
            Gravity::Note => return Ok(()),
        };
        let (file, line, column) = finding.place.as_deref().map(split).unwrap_or_default();
        let file = self.paths.package.as_ref().filter(|_| !file.is_empty()).map(|root| root.join(file));
        let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        let message = format!("{}{hint}", finding.message);
        let title = format!("{}: {}", finding.package, finding.check);
        self.annotate(level, &Note { file, line, column, title, message })
    }

    fn crosscheck(&mut self, result: &CrosscheckFinished) -> io::Result<()> {
        let Some(example) = &result.smallest else { return Ok(()) };
        let answers = example.answers.iter().map(|(solver, answer)| format!("\n{solver}: {answer}"));
        let message = format!("{}\n{}{}", example.reason, example.input, answers.collect::<String>());
        let title = format!("{}: solvers disagree", result.puzzle);
        self.annotate(Level::Error, &Note { title, message, ..Note::default() })
    }

    fn hunted(&mut self, found: &HuntFinished) -> io::Result<()> {
        if !found.found {
            return Ok(());
        }
        let kind = match found.kind.as_deref().unwrap_or_default() {
            "jury" => "the package's own accepted submissions fail",
            kind => kind,
        };
        let title = format!("{}: {kind} on an input that the hunt found", found.submission);
        let message = texts([&found.message, &found.input, &found.input_unchecked, &found.expected]);
        let file = Some(PathBuf::from(&found.submission));
        self.annotate(Level::Error, &Note { file, title, message, ..Note::default() })
    }

    fn survivor(&mut self, hunted: &SurvivorHunted) -> io::Result<()> {
        let Some(mutant) = self.survivors.get(&hunted.number).cloned() else { return Ok(()) };
        let (level, words) = match (hunted.killed, &hunted.kind) {
            (true, _) => (Level::Warning, "the test data does not detect this change"),
            (false, Some(_)) => (Level::Error, "an accepted submission fails on the input that the hunt found"),
            (false, None) => return Ok(()),
        };
        let found = texts([&hunted.message, &hunted.input, &hunted.input_unchecked, &hunted.expected]);
        let note = Note {
            file: self.paths.program(&mutant.file),
            line: Some(mutant.line),
            column: Some(mutant.column),
            title: format!("{}: {words}", mutant.operator),
            message: format!("{}\n-> {}\n{found}", mutant.was, mutant.is),
        };
        self.annotate(level, &note)
    }

    fn strength(&mut self, sum: &StrengthFinished) -> io::Result<()> {
        let file = self.paths.package.as_ref().map(|root| root.join("equivalent_mutants.yaml"));
        let wrong =
            sum.wrongly_declared.iter().map(|words| ("a test kills a mutant that is declared equivalent", words));
        let stale = sum.stale.iter().map(|words| ("a declaration of an equivalent mutant matches no mutant", words));
        for (title, words) in wrong.chain(stale) {
            let (file, title, message) = (file.clone(), title.to_owned(), words.clone());
            self.annotate(Level::Warning, &Note { file, title, message, ..Note::default() })?;
        }
        Ok(())
    }
}

impl<W: Write> Report for Github<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::BuildFinished(build) => self.build = Some(build.clone()),
            Event::CaseFinished(case) if case.verdict != Verdict::Accepted => {
                self.failure.get_or_insert_with(|| CaseFinished { exhibit: None, ..case.clone() });
            }
            Event::SubmissionFinished(done) => return self.submission(done),
            Event::SubmissionSkipped(skipped) => {
                let (title, message) = (format!("{}: not judged", skipped.submission), skipped.reason_and_hint());
                return self.annotate(Level::Warning, &Note { title, message, ..Note::default() });
            }
            Event::CrosscheckFinished(result) => return self.crosscheck(result),
            Event::CaseGenerated(case) => {
                if let Some(message) = case.message.clone() {
                    let title = format!("{}: not generated", case.case);
                    return self.annotate(Level::Error, &Note { title, message, ..Note::default() });
                }
            }
            Event::VerifyStarted(started) => self.paths.package.clone_from(&started.folder),
            Event::VerifyFinding(finding) => return self.finding(finding),
            Event::HuntFinished(found) => return self.hunted(found),
            Event::MutantFinished(mutant) if mutant.diff.is_some() => {
                self.survivors.insert(mutant.number, (**mutant).clone());
            }
            Event::SurvivorHunted(hunted) => return self.survivor(hunted),
            Event::StrengthFinished(sum) => return self.strength(sum),
            // These events contain no finding, or only a finding that another event reports.
            Event::RunStarted(_)
            | Event::CaseFinished(_)
            | Event::GroupFinished(_)
            | Event::DoctorFinished(_)
            | Event::GenerateFinished(_)
            | Event::VerifyTimeLimit(_)
            | Event::VerifyMargin(_)
            | Event::VerifyCheck(_)
            | Event::VerifyFinished(_)
            | Event::MutantFinished(_)
            | Event::SimilarityFinished(_)
            | Event::RunFinished(_) => {}
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: bool) -> io::Result<()> {
        self.out.flush()
    }
}

/// Splits `problem.yaml:3:5` into the file, the line and the column.
fn split(place: &str) -> (&str, Option<usize>, Option<usize>) {
    let number = |text: &str| text.parse::<usize>().ok();
    match place.rsplit_once(':').map(|(rest, last)| (rest, number(last))) {
        Some((rest, Some(last))) => match rest.rsplit_once(':').map(|(file, line)| (file, number(line))) {
            Some((file, Some(line))) => (file, Some(line), Some(last)),
            _ => (rest, Some(last), None),
        },
        _ => (place, None, None),
    }
}

fn texts([message, input, unchecked, expected]: [&Option<String>; 4]) -> String {
    let part = |title: &str, text: &Option<String>| text.as_ref().map(|text| format!("{title}\n{}", text.trim_end()));
    let legality = unchecked.as_deref().map(legality);
    let all = [message.clone(), part("input:", input), legality, part("expected:", expected)];
    all.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Makes a message printable and escapes it, so that no line of the message can start another command.
fn data(text: &str) -> String {
    without_inner_commands(&printable(text.as_bytes())).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property. A colon or a comma would end a property, but not a message.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use referee_event::Student;

    #[test]
    fn a_program_lies_among_the_submissions_unless_its_folder_is_that_of_validators() {
        let paths = FilePaths { package: Some(PathBuf::from("p")), own_programs: true };
        for (name, file) in [
            ("accepted/validator.py", "p/submissions/accepted/validator.py"),
            ("output_validator/validate.cpp", "p/output_validator/validate.cpp"),
            ("input_format_validators/v.py", "p/input_format_validators/v.py"),
        ] {
            assert_eq!(paths.program(name), Some(PathBuf::from(file)), "{name}");
        }
        assert_eq!(FilePaths::default().program("a/validator.py"), Some(PathBuf::from("a/validator.py")));
    }

    #[test]
    fn solvers_that_disagree_are_an_error_with_the_board() {
        let mut out = Vec::new();
        Github::new(&mut out, FilePaths::default()).crosscheck(&CrosscheckFinished::disputed()).unwrap();
        let written = "::error title=flipgame%3A solvers disagree::bfs says 1, table says 2%0Abw%0Awb%0A%0Abfs: 1%0A%0A\
                    table: 2%0A\n";
        assert_eq!(String::from_utf8(out).unwrap(), written);
    }

    #[test]
    fn a_place_is_a_file_with_a_line_and_a_column_or_without() {
        assert_eq!(split("problem.yaml:3:5"), ("problem.yaml", Some(3), Some(5)));
        assert_eq!(split("problem.yaml:3"), ("problem.yaml", Some(3), None));
        assert_eq!(split("data/secret/a:b.in"), ("data/secret/a:b.in", None, None));
        assert_eq!(split("data/secret"), ("data/secret", None, None));
    }

    #[test]
    fn the_failure_of_a_student_names_no_file() {
        let written = |student: Option<Student>| {
            let mut out = Vec::new();
            let done = SubmissionFinished {
                student: student.map(Arc::new),
                ..SubmissionFinished::example("Bob Baker", Verdict::WrongAnswer)
            };
            let mut report = Github::new(&mut out, FilePaths::default());
            report.event(&Event::SubmissionFinished(done)).unwrap();
            String::from_utf8(out).unwrap()
        };
        let student = Student::example("Bob Baker");
        assert!(written(None).starts_with("::error file=Bob Baker,"));
        assert!(written(Some(student)).starts_with("::error title=Bob Baker%3A WA"));
    }

    #[test]
    fn what_a_submission_wrote_begins_no_command_of_its_own() {
        let mut out = Vec::new();
        let mut report = Github::new(&mut out, FilePaths::default());
        let note = Note {
            file: Some(PathBuf::from("a,b:c\n::error::x.py")),
            title: "t,\n::warning::u".to_owned(),
            message: "100%\r\n::error::\u{1b}[2J##[error]".to_owned(),
            ..Note::default()
        };
        report.annotate(Level::Warning, &note).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert_eq!(written.lines().count(), 1, "{written}");
        let file = "file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax.py";
        let title = "title=t%2C%0A%3A%3Awarning%3A%3Au";
        assert_eq!(written, format!("::warning {file},{title}::100%25␍%0A::error::␛[2J# #[error]\n"));
    }
}
