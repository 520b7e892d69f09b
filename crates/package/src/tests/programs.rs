//! Tests which files of a folder are programs, and which files belong to them.

use super::*;

/// Returns the file name of each program, with the file names of its headers.
fn told(programs: &[PackageProgram]) -> Vec<(String, Vec<String>)> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    programs.iter().map(|program| (name(&program.path), program.headers.iter().map(name).collect())).collect()
}

fn of(name: &str, headers: &[&str]) -> (String, Vec<String>) {
    (name.to_owned(), headers.iter().map(|&header| header.to_owned()).collect())
}

#[test]
fn headers_beside_programs_are_part_of_each_and_no_program() {
    let folder = legacy_package("name: Add\nvalidation: custom\n");
    for ending in ["h", "hh", "hpp", "hxx", "H", "inc", "inl", "ipp", "tcc"] {
        write(folder.path(), &format!("output_validators/all.{ending}"), "");
    }
    write(folder.path(), "output_validators/one.cpp", "");
    write(folder.path(), "output_validators/two.cpp", "");
    write(folder.path(), "output_validators/large/own.h", "");
    write(folder.path(), "output_validators/large/large.cpp", "");
    write(folder.path(), "output_validators/folder.h/main.cpp", "");
    let package = load(folder.path()).unwrap();
    let all = ["all.H", "all.h", "all.hh", "all.hpp", "all.hxx", "all.inc", "all.inl", "all.ipp", "all.tcc"];
    let wanted = [of("folder.h", &[]), of("large", &[]), of("one.cpp", &all), of("two.cpp", &all)];
    assert_eq!(told(&package.output_validators), wanted);
}

#[test]
fn other_files_beside_programs_stay_programs() {
    let folder = package(DATED);
    for name in ["input_validators/lib.py", "input_validators/sizes.h", "answer_validators/sizes.h"] {
        write(folder.path(), name, "");
    }
    let package = load(folder.path()).unwrap();
    assert_eq!(told(&package.input_validators), [of("check.py", &["sizes.h"]), of("lib.py", &["sizes.h"])]);
    assert_eq!(told(&package.answer_validators), []);
}

#[test]
fn headers_alone_are_no_validator_and_no_grader() {
    let folder = legacy_package("name: Add\nvalidation: custom\ntype: scoring\n");
    write(folder.path(), "output_validators/testlib.h", "");
    write(folder.path(), "graders/grader.h", "");
    write(folder.path(), "data/testdata.yaml", "grading: custom\n");
    assert_eq!(
        complaints(&folder),
        [
            "graders: contains no grader; 'grading: custom' in a testdata.yaml requires one",
            "output_validators: problem.yaml says 'validation: custom', but there is no output validator in \
             output_validators/",
        ]
    );
}

#[test]
fn a_header_among_submissions_is_told_and_is_no_submission() {
    let folder = package(DATED);
    write(folder.path(), "submissions/accepted/lib.hpp", "");
    let package = load(folder.path()).unwrap();
    assert!(package.submissions.iter().all(|submission| submission.name != "accepted/lib.hpp"));
    assert_eq!(
        remarks(&folder),
        ["submissions/accepted/lib.hpp: is not used: a header is not a submission; put a submission of several files \
             into a folder"]
    );
}
