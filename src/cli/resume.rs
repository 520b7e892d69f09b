//! Reads REPORT of `--resume`: the results of an interrupted run.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Failure;
use super::destination::part_of;
use super::numbers::seconds;
use referee_event::{CaseFinished, Event};
use referee_files::trusted;
use referee_judge::{self as judge, Submission};
use referee_report::counted;
use referee_report::jsonl::read::{Lines, check_version};
use referee_report::jsonl::{self, Line, ReplacedResults};

/// The results of earlier runs. Memory holds only their positions; the results are read from the files when needed.
#[derive(Debug)]
pub(super) struct EarlierResults {
    files: Vec<File>,
    /// The positions of the results of each submission: the index of the file and a byte range. The newest file is
    /// first.
    positions: HashMap<String, Vec<(usize, std::ops::Range<u64>)>>,
    /// The files that were read, and the number of results in each.
    found: Vec<(PathBuf, usize)>,
    /// The measured CPU time limit in the newest file that has one, and the digest of its basis; `None` if no file has
    /// one.
    time_limit: Option<(Duration, String)>,
    /// The submission and the case of the last result in the newest file; `None` if it has no results.
    last: Option<(String, String)>,
}

impl EarlierResults {
    /// Reads the partial report of the run that wrote to `report`, and the report itself. Also reads the partial report
    /// of `written`, the destination of this run. Returns `None` if none of these files exists. Fails if one is
    /// invalid.
    fn read(report: &Path, written: Option<&Path>, package: &str) -> Result<Option<EarlierResults>, Failure> {
        // If this run writes to a report other than `report`, an earlier attempt to resume may have written there, too,
        // and left a newer partial report.
        let others = written.filter(|written| !is_same(written, report)).map(part_beside);
        let mut earlier = EarlierResults {
            files: Vec::new(),
            positions: HashMap::new(),
            found: Vec::new(),
            time_limit: None,
            last: None,
        };
        // The user may name the report by a link. The judge itself makes partial reports, and never as links.
        let parts = others.into_iter().chain([part_beside(report)]).map(|part| (part, libc::O_NOFOLLOW));
        for (path, links) in parts.chain([(report.to_path_buf(), 0)]) {
            match File::options().read(true).custom_flags(libc::O_NONBLOCK | links).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if error.raw_os_error() == Some(libc::ELOOP) => {
                    return Err(untrusted(&path, "is a link"));
                }
                Err(error) => return Err(Failure::unusable(format!("{}: {error}", path.display()))),
                Ok(file) => earlier.add(&path, file, package)?,
            }
        }
        Ok(if earlier.files.is_empty() { None } else { Some(earlier) })
    }

    fn add(&mut self, path: &Path, file: File, package: &str) -> Result<(), Failure> {
        let refused = |what: String| {
            Failure::unusable(format!("{}:{what}", path.display()))
                .with_hint("REPORT must be a complete or partial report of `referee grade --json REPORT`")
        };
        if !file.metadata().is_ok_and(|found| found.is_file()) {
            return Err(refused(" not a regular file".to_owned()));
        }
        if trusted::check_file(&file).is_err() {
            return Err(untrusted(path, "belongs to another user, or other users can write to it"));
        }
        let mut lines = Lines::new(BufReader::new(&file));
        let (index, is_newest, mut last, mut results) = (self.files.len(), self.files.is_empty(), None, 0);
        loop {
            let start = lines.offset();
            let line = match lines.next() {
                None => break,
                // The judge was killed while it wrote this line.
                Some(Err(unreadable)) if unreadable.is_cut => break,
                Some(Err(unreadable)) => return Err(refused(unreadable.to_string())),
                Some(Ok(line)) => line,
            };
            if let Line::RunStarted(started) = &line {
                let unfit = |what: String| refused(lines.unreadable(&what).to_string());
                check_version(started.schema_version).map_err(unfit)?;
                if started.package != package {
                    let message = format!("this is a report on the package {}, expected: {package}", started.package);
                    return Err(Failure::unusable(format!("{}:{}", path.display(), lines.unreadable(&message)))
                        .with_hint("give the report of a run on this package, or leave out --resume"));
                }
                let limit = started.time_limit_seconds.and_then(|limit| seconds(&limit.to_string()).ok());
                let basis = started.time_limit_basis.as_deref().map(str::to_owned);
                self.time_limit = self.time_limit.take().or(limit.zip(basis));
            }
            if let Line::CaseFinished(case) = line {
                let positions = self.positions.entry(case.submission.to_string()).or_default();
                match positions.last_mut() {
                    Some((file, bytes)) if *file == index && bytes.end == start => bytes.end = lines.offset(),
                    _ => positions.push((index, start..lines.offset())),
                }
                results += 1;
                last = Some((case.submission.into_owned(), case.case.into_owned()));
            }
        }
        if is_newest {
            self.last = last;
        }
        self.files.push(file);
        self.found.push((path.to_path_buf(), results));
        Ok(())
    }

    /// Returns the time limit that the earlier runs measured. Returns `None` if they measured none, or if they measured
    /// it with another `basis`, which is a digest of everything that the limit depends on.
    pub(super) fn time_limit(&self, basis: &str) -> Option<Duration> {
        self.time_limit.as_ref().filter(|(_, known)| known == basis).map(|(limit, _)| *limit)
    }

    /// Describes the earlier results that this run replaces: the names of those `submissions` that have earlier
    /// results, and the last result in the newest file.
    pub(super) fn before(&self, submissions: &[Submission]) -> ReplacedResults {
        let names = submissions.iter().map(|submission| &submission.name);
        let submissions = names.filter(|name| self.positions.contains_key(*name)).cloned().collect();
        ReplacedResults { submissions, last: self.last.clone() }
    }

    fn results_in(&self, file: usize, bytes: &std::ops::Range<u64>) -> io::Result<Vec<CaseFinished>> {
        let mut text = vec![0; usize::try_from(bytes.end - bytes.start).map_err(io::Error::other)?];
        self.files[file].read_exact_at(&mut text, bytes.start)?;
        let case = |line: Result<Line<'static>, _>| match jsonl::event(line.ok()?, "") {
            Some(Event::CaseFinished(case)) => Some(case),
            _ => None,
        };
        Ok(Lines::new(text.as_slice()).filter_map(case).collect())
    }
}

impl judge::EarlierReport for EarlierResults {
    fn results_of(&self, submission: &str) -> HashMap<String, CaseFinished> {
        let mut results = HashMap::new();
        // The newest file is first. The loop reads the files in reverse order, so that newer results replace older
        // results of the same case.
        for (file, bytes) in self.positions.get(submission).into_iter().flatten().rev() {
            // Results that cannot be read are computed again.
            let found = self.results_in(*file, bytes).unwrap_or_default();
            results.extend(found.into_iter().map(|case| (case.case.clone(), case)));
        }
        results
    }
}

/// Reads the report of an interrupted run, and says what was found. If the report is missing, returns `None` and does
/// not fail, so that the user can give the same command for the first attempt and for every later one.
pub(super) fn read_earlier(
    report: &Path,
    written: Option<&Path>,
    package: &str,
) -> Result<Option<EarlierResults>, Failure> {
    let earlier = EarlierResults::read(report, written, package)?;
    match &earlier {
        None => super::eprint_line(format_args!(
            "nothing to resume: {} not found; the run starts from the beginning",
            report.display()
        )),
        Some(earlier) => {
            for (file, results) in &earlier.found {
                super::eprint_line(format_args!(
                    "resuming from {}: {}, used where nothing has changed",
                    file.display(),
                    counted(*results, "result")
                ));
            }
        }
    }
    Ok(earlier)
}

/// Warns that this run will replace the partial report of an interrupted run, if there is one.
pub(super) fn warn_of_part(report: Option<&Path>) {
    let Some(report) = report.filter(|report| part_of(report).metadata().is_ok_and(|found| found.len() > 0)) else {
        return;
    };
    let (part, report) = (part_of(report), report.display());
    super::eprint_line(format_args!(
        "{} of an earlier run will be replaced; use --resume {report} to continue that run instead",
        part.display()
    ));
}

/// Returns the refusal of a report that another user may have written. Its results would be taken over without a run.
fn untrusted(path: &Path, what: &str) -> Failure {
    let message = format!("{} {what}, so its results may not be those of your run", path.display());
    Failure::unusable(message).with_hint(format!(
        "make it your own file (chown, chmod go-w); on a drive without modes, copy it to your home folder and resume \
         from there; or remove {} and run without --resume",
        path.display()
    ))
}

/// Returns the path of the partial report. If `report` is a link, the judge writes the partial report beside the link's
/// target.
fn part_beside(report: &Path) -> PathBuf {
    let target = report.canonicalize().ok().filter(|_| report.is_symlink());
    part_of(target.as_deref().unwrap_or(report))
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().ok().is_some_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use referee_judge::EarlierReport;

    fn case(submission: &str, case: &str, verdict: &str) -> String {
        let line = serde_json::json!({
            "type": "case_finished", "submission": submission, "case": case, "verdict": verdict, "score": null,
            "cpu_seconds": 0.1, "cpu_seconds_all": null, "close": false, "wall_seconds": 0.1, "memory_bytes": null,
            "exit_code": 0, "signal": null, "message": null, "team_message": null, "cached": false, "passes": null,
            "given_score": null, "given_multiplier": null, "key": "k",
        });
        format!("{line}\n")
    }

    #[test]
    fn results_are_found_by_submission_and_case_and_a_cut_line_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report");
        assert!(EarlierResults::read(&report, None, "p").unwrap().is_none());
        let built = serde_json::json!({
            "type": "build_finished", "submission": "b", "language": "C", "ok": true, "seconds": 0.1, "cached": false,
            "tools": [], "message": null,
        });
        let lines = [case("a", "1", "AC"), case("a", "2", "AC"), format!("{built}\n"), case("b", "1", "WA")].concat();
        fs::write(part_of(&report), format!("{lines}{}", &case("b", "2", "AC")[..90])).unwrap();
        let earlier = EarlierResults::read(&report, None, "p").unwrap().unwrap();
        assert_eq!((earlier.found[0].1, earlier.last.clone()), (3, Some(("b".to_owned(), "1".to_owned()))));
        assert_eq!(earlier.results_of("a").len(), 2);
        assert_eq!(earlier.results_of("b")["1"].verdict.to_string(), "WA");
        assert!(earlier.results_of("c").is_empty());
        // If the newer report has no result for a case, the result of the older report counts.
        fs::write(&report, [case("b", "1", "AC"), case("b", "3", "AC")].concat()).unwrap();
        let earlier = EarlierResults::read(&report, None, "p").unwrap().unwrap();
        assert_eq!((earlier.found[1].clone(), earlier.last.clone().unwrap().1), ((report.clone(), 2), "1".to_owned()));
        let both = earlier.results_of("b");
        assert_eq!((both["1"].verdict.to_string(), both.len()), ("WA".to_owned(), 2));
        // A later run resumed this run and wrote another report. The later run was also killed.
        let other = folder.path().join("other");
        fs::write(part_of(&other), case("b", "3", "TLE")).unwrap();
        let earlier = EarlierResults::read(&report, Some(&other), "p").unwrap().unwrap();
        assert_eq!(
            (earlier.results_of("b")["3"].verdict.to_string(), earlier.last.clone().unwrap().1.as_str()),
            ("TLE".to_owned(), "3")
        );
    }

    #[test]
    fn a_report_that_another_user_may_have_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (report, other) = (folder.path().join("report"), folder.path().join("other"));
        for path in [&report, &part_of(&report)] {
            fs::write(path, case("a", "1", "AC")).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap();
            let message = EarlierResults::read(&report, None, "p").unwrap_err().message;
            assert!(message.contains("other users can write to it, so its results may not be"), "{message}");
            fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
            EarlierResults::read(&report, None, "p").unwrap();
        }
        fs::rename(part_of(&report), &other).unwrap();
        std::os::unix::fs::symlink(&other, part_of(&report)).unwrap();
        let message = EarlierResults::read(&report, None, "p").unwrap_err().message;
        assert!(message.contains("report.part is a link"), "{message}");
        if rustix::process::geteuid().is_root() {
            fs::remove_file(part_of(&report)).unwrap();
            std::os::unix::fs::chown(&report, Some(47_110), None).unwrap();
            let message = EarlierResults::read(&report, None, "p").unwrap_err().message;
            assert!(message.contains("belongs to another user"), "{message}");
        }
    }

    #[test]
    fn a_measured_time_limit_is_taken_over_if_it_would_follow_from_the_same_again() {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report");
        let started = serde_json::json!({
            "type": "run_started", "schema_version": 1, "version": "0", "package": "p", "jobs": 1, "seed": null,
            "sandbox": null, "time_limit_seconds": 1.5, "time_limit_measured": true, "memory_limit_bytes": null,
            "submissions": 1, "partition": null, "submissions_digest": null, "cases_digest": null,
            "time_limit_basis": "then",
        });
        fs::write(&report, format!("{started}\n")).unwrap();
        let earlier = EarlierResults::read(&report, None, "p").unwrap().unwrap();
        assert_eq!((earlier.time_limit("then"), earlier.time_limit("now")), (Some(Duration::from_millis(1500)), None));
    }

    #[test]
    fn what_is_no_report_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report");
        fs::write(&report, format!("{}hello\n", case("a", "1", "AC"))).unwrap();
        assert!(EarlierResults::read(&report, None, "p").unwrap_err().message.contains("report:2:1: expected value"));
        assert!(EarlierResults::read(folder.path(), None, "p").is_err());
    }
}
