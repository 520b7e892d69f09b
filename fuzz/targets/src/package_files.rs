//! Fuzzes the files of a package: the reader must accept any content or return an error, and never panic.

use std::fs;
use std::path::Path;

use referee_generators as generators;
use referee_package as package;

/// The files that are parsed. The first byte of the fuzzed data selects one, and the other bytes are its content.
const FILES: [&str; 9] = [
    "problem.yaml",
    "submissions/submissions.yaml",
    "data/secret/test_group.yaml",
    "data/test_group.yaml",
    "data/secret/testdata.yaml",
    "data/secret/1.yaml",
    "generators/generators.yaml",
    "domjudge-problem.ini",
    "data/testdata.yaml",
];

/// The format versions. The first byte also selects one of these.
const VERSIONS: [&str; 3] = [
    "problem_format_version: 2025-09\nname: Fuzzed\nuuid: 6f0b6a7c-0000-4000-8000-000000000000\n\
     limits:\n  time_limit: 1\n",
    "problem_format_version: 2023-07-draft\nname: Fuzzed\nuuid: 6f0b6a7c-0000-4000-8000-000000000000\n",
    "name: Fuzzed\n",
];

/// Reads a small package in which one file has these bytes.
pub fn package_files(data: &[u8]) {
    let Some((&which, text)) = data.split_first() else { return };
    let which = usize::from(which);
    let version = VERSIONS[which / FILES.len() % VERSIONS.len()];
    in_a_package(version, FILES[which % FILES.len()], text, |folder| {
        if let Err(findings) = package::load(folder) {
            assert!(!findings.to_string().is_empty());
        }
        read_generators(folder);
    });
}

/// Reads a small package in which `generators.yaml` has these bytes.
pub fn generators_yaml(data: &[u8]) {
    in_a_package(VERSIONS[0], "generators/generators.yaml", data, read_generators);
}

/// Reads `generators.yaml` if the package itself can be read.
fn read_generators(folder: &Path) {
    if let Ok(package) = package::load_without_cases(folder, None)
        && let Err(error) = generators::read(&package, folder)
    {
        assert!(!error.to_string().is_empty());
    }
}

/// Creates a package in which the file `name` has the content `text`, and calls `then` with the package's folder.
fn in_a_package(version: &str, name: &str, text: &[u8], then: impl Fn(&Path)) {
    let Ok(folder) = tempfile::Builder::new().prefix("fuzz-").tempdir() else {
        panic!("cannot create a temporary folder")
    };
    let files: [(&str, &[u8]); 6] = [
        ("problem.yaml", version.as_bytes()),
        ("data/secret/1.in", b"1\n"),
        ("data/secret/1.ans", b"1\n"),
        ("submissions/accepted/a.py", b"print(input())\n"),
        ("generators/gen.py", b"print(1)\n"),
        (name, text),
    ];
    for (name, text) in files {
        let written = write(&folder.path().join(name), text);
        assert!(written.is_ok(), "{name}: {written:?}");
    }
    then(folder.path());
}

fn write(path: &Path, text: &[u8]) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}
