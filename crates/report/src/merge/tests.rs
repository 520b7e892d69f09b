use std::io::Write;

use super::*;
use crate::jsonl;

/// Makes a report of `submissions`, each with its verdict. `partition` has the part (`I/N`) and the number of
/// submissions in all parts together; `None` makes a report of a whole run.
fn report(submissions: &[(&str, &str)], partition: Option<(&str, usize)>) -> String {
    let (partition, all) = match partition {
        None => ("null".to_owned(), submissions.len()),
        Some((part, all)) => {
            let (part, of) = part.split_once('/').unwrap();
            (format!(r#"{{"part":{part},"of":{of}}}"#), all)
        }
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut lines = vec![format!(
        r#"{{"type":"run_started","schema_version":1,"version":"{version}","package":"p","jobs":2,"seed":null,"sandbox":null,"time_limit_seconds":2.0,"time_limit_measured":false,"time_limit_source":"stated","measuring_runs":null,"measuring_seconds":null,"memory_limit_bytes":1048576,"submissions":{all},"partition":{partition},"submissions_digest":"s","cases_digest":"c","part_of_cases":null,"time_limit_basis":null}}"#
    )];
    for (name, verdict) in submissions {
        let as_wanted = *verdict == "AC";
        let (failed, first) = if as_wanted { (0, "null") } else { (1, "\"1\"") };
        lines.push(format!(
            r#"{{"type":"build_finished","submission":"{name}","language":"C","ok":true,"seconds":0.1,"cached":false,"tools":[],"remark":null,"message":null}}"#
        ));
        lines.push(format!(
            r#"{{"type":"case_finished","submission":"{name}","case":"1","verdict":"{verdict}","score":null,"cpu_seconds":0.1,"cpu_seconds_all":null,"close":false,"wall_seconds":0.1,"memory_bytes":null,"exit_code":0,"signal":null,"message":null,"team_message":null,"cached":false,"passes":null,"given_score":null,"given_multiplier":null,"key":null}}"#
        ));
        lines.push(format!(
            r#"{{"type":"submission_finished","submission":"{name}","verdict":"{verdict}","score":null,"max_score":null,"message":null,"expected":null,"as_expected":null,"as_wanted":{as_wanted},"breaches":[],"cases_run":1,"cases_failed":{failed},"cases_skipped":0,"first_failing_case":{first},"cpu_seconds_max":0.1,"memory_bytes_max":null,"points":null,"student":null}}"#
        ));
    }
    let as_wanted = submissions.iter().all(|(_, verdict)| *verdict == "AC");
    let count = submissions.len();
    lines.push(format!(
        r#"{{"type":"run_finished","as_wanted":{as_wanted},"submissions":{count},"skipped":0,"unjudged":0,"cases_run":{count},"wall_seconds":{count}.5}}"#
    ));
    lines.join("\n") + "\n"
}

fn merged(reports: &[String]) -> Result<(Merged, Vec<String>), String> {
    let sources = reports.iter().enumerate().map(|(index, text)| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        Source { name: format!("{}.jsonl", index + 1), file }
    });
    let mut lines = Vec::new();
    let mut tell = |event: Event| lines.push(serde_json::to_string(&jsonl::line(&event).unwrap()).unwrap());
    let merged = merge(sources.collect(), &mut tell).map_err(|error| error.to_string())?;
    Ok((merged, lines))
}

fn of_parts(parts: &[&str], all: usize) -> Vec<String> {
    let letters = ["a", "b", "c", "d", "e"];
    let one = |part: &&str| {
        let partition: Partition = part.parse().unwrap();
        let own: Vec<_> =
            (0..all).filter(|&index| partition.contains(index)).map(|index| (letters[index], "AC")).collect();
        report(&own, Some((part, all)))
    };
    parts.iter().map(one).collect()
}

#[test]
fn the_report_of_parts_is_that_of_one_run() {
    let (all, lines) = merged(&of_parts(&["3/3", "1/3", "2/3"], 5)).unwrap();
    let whole = report(&[("a", "AC"), ("b", "AC"), ("c", "AC"), ("d", "AC"), ("e", "AC")], None);
    let mut whole: Vec<_> = whole.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), whole.len());
    // The merged report has the longest wall time of all parts, because parts run side by side.
    let end = whole.pop().unwrap().replace("5.5", "2.5");
    whole.push(end);
    assert_eq!(lines, whole);
    assert_eq!(
        all,
        Merged { submissions: 5, as_wanted: true, judge_errors: 0, unjudged: 0, skipped: 0, lacks_comparison: false }
    );
}

#[test]
fn a_part_is_complete_only_if_it_ends_and_is_the_part_that_was_meant() {
    let check = |text: &str| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        let source = Source { name: "r".to_owned(), file };
        check_part(source, "2/3".parse().unwrap()).map_err(|error| error.to_string())
    };
    let second = &of_parts(&["2/3"], 5)[0];
    assert_eq!(check(second), Ok(()));
    let cut = second.split_inclusive('\n').take(3).collect::<String>();
    assert_eq!(check(&cut), Err("r: the report is incomplete, because its run did not finish".to_owned()));
    let other = check(&of_parts(&["1/3"], 5)[0]).unwrap_err();
    assert_eq!(other, "r is the report of part 1/3, expected part 2/3");
    assert_eq!(check(&report(&[], None)).unwrap_err(), "r is the report of a whole run, expected part 2/3");
    let zeros = second.replace("case_finished", "case\0finished");
    assert!(check(&zeros).is_err());
}

#[test]
fn what_measuring_cost_adds_up_and_a_provisional_limit_stays_provisional() {
    let stated =
        r#""time_limit_measured":false,"time_limit_source":"stated","measuring_runs":null,"measuring_seconds":null"#;
    let with = |limit: &str| report(&[], None).replace(stated, limit);
    let measured =
        r#""time_limit_measured":true,"time_limit_source":"measured","measuring_runs":3,"measuring_seconds":1.5"#;
    let both =
        r#""time_limit_measured":true,"time_limit_source":"measured","measuring_runs":6,"measuring_seconds":3.0"#;
    let provisional = stated.replace("stated", "provisional");
    let start = |limits: [&str; 2]| merged(&limits.map(with)).unwrap().1.remove(0);
    assert!(start([measured, measured]).contains(both));
    assert!(start([measured, &provisional]).contains(&provisional));
    assert!(start([stated, stated]).contains(stated));
    // The first report is of an earlier version of `referee`, which did not write the origin of the limit.
    assert!(start([r#""time_limit_measured":true"#, measured]).contains(measured));
}

#[test]
fn whole_runs_are_told_one_after_the_other() {
    let (all, lines) = merged(&[report(&[("x", "WA")], None), report(&[("z", "JE"), ("y", "AC")], None)]).unwrap();
    let built: Vec<_> = lines.iter().filter(|line| line.contains("build_finished")).collect();
    assert_eq!(built.len(), 3);
    assert_eq!(
        all,
        Merged { submissions: 3, as_wanted: false, judge_errors: 1, unjudged: 0, skipped: 0, lacks_comparison: false }
    );
}

#[test]
fn a_submission_that_was_asked_for_and_not_judged_is_no_success() {
    let skipped = r#"{"type":"submission_skipped","submission":"s","reason":"no"}"#;
    let text = report(&[], Some(("1/1", 1)))
        .replace("\"as_wanted\":true", "\"as_wanted\":false")
        .replace("\"skipped\":0,\"unjudged\":0", "\"skipped\":1,\"unjudged\":1");
    let (start, end) = text.split_once('\n').unwrap();
    let (all, _) = merged(&[format!("{start}\n{skipped}\n{end}")]).unwrap();
    assert!(all.unjudged == 1 && !all.as_wanted);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let told = |reports: &[String]| merged(reports).unwrap_err();
    assert_eq!(told(&of_parts(&["1/3", "3/3"], 5)), "part 2 of 3 is missing");
    assert_eq!(told(&of_parts(&["1/2", "1/2"], 5)), "1.jsonl and 2.jsonl are both part 1/2");
    assert_eq!(told(&of_parts(&["1/2", "2/3"], 5)), "2.jsonl is part 2/3, but other reports are from a run of 2 parts");
    let mut parts = of_parts(&["1/2"], 5);
    parts.push(report(&[("b", "AC")], None));
    assert_eq!(told(&parts), "2.jsonl is the report of a whole run, but other reports are reports of parts");
    parts[1] = report(&[("b", "AC")], Some(("2/2", 5)));
    assert_eq!(told(&parts), "2.jsonl is part 2/2; number of submissions expected: 2, found: 1");
    parts[1] = report(&[("b", "AC"), ("d", "AC")], Some(("2/2", 4)));
    assert_eq!(told(&parts), "1.jsonl is from a run with 5 submissions, but 2.jsonl is from a run with 4");
    let other = |from: &str, to: &str| told(&[report(&[], None), report(&[], None).replace(from, to)]);
    let (package, time) = (other("\"p\"", "\"q\""), other("2.0", "3.0"));
    assert_eq!(package, "1.jsonl and 2.jsonl are not reports of one run: the packages are p and q");
    assert_eq!(time, "1.jsonl and 2.jsonl are not reports of one run: the time limits are 2 s and 3 s");
    assert!(other("1048576", "2097152").ends_with("the memory limits are 1 MiB and 2 MiB"));
    let options = other("cases_digest\":\"c", "cases_digest\":\"d");
    assert!(options.contains("different test cases, or") && options.contains("--as, --sandbox, --repeat"), "{options}");
    let mut parts = of_parts(&["1/2", "2/2"], 5);
    parts[1] = parts[1].replace("submissions_digest\":\"s", "submissions_digest\":\"t");
    assert!(told(&parts).contains("different submissions, or the same submissions in a different order"));
    let whole = [report(&[("x", "AC"), ("a", "AC")], None), report(&[("a", "WA")], None)];
    assert_eq!(told(&whole), "1.jsonl and 2.jsonl both contain a; merge only one of these reports");
}

#[test]
fn what_is_no_whole_report_is_refused_with_its_place() {
    const UNFINISHED: &str = "1.jsonl: the report is incomplete, because its run did not finish";
    let whole = report(&[("a", "AC")], None);
    let told = |text: String| merged(&[text]).unwrap_err();
    for end in ["run_finished", "submission_finished", "case_finished"] {
        let cut = whole.find(&format!("{{\"type\":\"{end}")).unwrap();
        assert_eq!(told(whole[..cut].to_owned()), UNFINISHED);
        assert_eq!(told(whole[..cut + 20].to_owned()), UNFINISHED);
    }
    assert_eq!(told(String::new()), UNFINISHED);
    assert!(
        told(whole.replace("case_finished\",\"submission\":\"a\"", "case_finished\",\"submission\":\"b\""))
            .starts_with("1.jsonl:3: unexpected line")
    );
    assert!(told(format!("{whole}{whole}")).starts_with("1.jsonl:6: unexpected line after run_finished"));
    assert!(
        told(whole.replace("schema_version\":1", "schema_version\":2"))
            .starts_with("1.jsonl:1: the report has format version 2")
    );
    let of_another = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(
        told(whole.replace(&of_another, "\"version\":\"0.0.1\""))
            .starts_with("1.jsonl:1: the report was written by referee 0.0.1")
    );
    assert!(told(whole.replace("\"submissions\":1,\"part", "\"submissions\":null,\"part")).contains("`referee grade`"));
    assert!(told(whole.replace("\"AC\"", "\"OK\"")).starts_with("1.jsonl:3:"));
}

#[test]
fn a_report_whose_lines_do_not_add_up_to_what_it_says_is_refused() {
    let whole = report(&[("a", "AC"), ("b", "WA")], None);
    let (case, own) = (whole.lines().nth(5).unwrap(), whole.lines().nth(6).unwrap());
    assert!(case.contains("\"case_finished\",\"submission\":\"b\"") && own.contains("submission_finished"));
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        merged(&[whole.replace(from, to)]).unwrap_err()
    };
    for (from, to, told) in [
        (format!("{case}\n"), String::new(), "6: cases_run is 1, but the lines above give 0"),
        (format!("{case}\n"), format!("{case}\n{case}\n"), "7: the report has two results of b on 1"),
        (case.to_owned(), case.replace("WA", "AC"), "7: cases_failed is 1, but the lines above give 0"),
        (case.to_owned(), case.replace("WA", "TLE"), "7: verdict is WA, but the lines above give TLE"),
        (own.to_owned(), own.replace("WA", "AC"), "7: verdict is AC, but the lines above give WA"),
        (
            own.to_owned(),
            own.replace("case\":\"1", "case\":\"2"),
            "7: first_failing_case is 2, but the lines above give 1",
        ),
        (
            "run_finished\",\"as_wanted\":false".to_owned(),
            "run_finished\",\"as_wanted\":true".to_owned(),
            "8: as_wanted is true, but the lines above give false",
        ),
        ("\"submissions\":2,\"skipped".to_owned(), "\"submissions\":7,\"skipped".to_owned(), "8: submissions is 7"),
        ("\"skipped\":0".to_owned(), "\"skipped\":1".to_owned(), "8: skipped is 1"),
        ("\"cases_run\":2".to_owned(), "\"cases_run\":1".to_owned(), "8: cases_run is 1"),
    ] {
        let error = changed(&from, &to);
        assert!(error.starts_with(&format!("1.jsonl:{told}")), "{error}\n{told}");
    }
}
