//! Links in packages. A link may lead to a file in the package, or to a file in the folder of `--root`. No other file
//! outside the package is read, run, shown or exported.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

const ADD: &str = "read a b\necho $((a + b))\n";

/// A text in a file outside the package. No command may print it.
const SECRET: &str = "PRIVATE-KEY-5511";

/// Creates a legacy package, and files beside it that do not belong to it.
fn package_and_outside_files() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let root = folder.path().join("sum");
    for (name, text) in [
        ("problem.yaml", "name: Sum\nvalidation: custom\n"),
        (".timelimit", "5\n"),
        ("problem_statement/problem.en.tex", "\\problemname{Sum}\n"),
        ("input_validators/any.sh", "exit 42\n"),
        (
            "output_validators/same/validate.sh",
            "read -r wanted < \"$2\"\nread -r got\n[ \"$got\" = \"$wanted\" ] && exit 42\nexit 43\n",
        ),
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "3\n"),
        ("submissions/accepted/add.sh", ADD),
    ] {
        write(&root, name, text);
    }
    write(folder.path(), "outside/key.sh", &format!("#!/bin/sh\n# {SECRET}\necho 3 {SECRET}\n"));
    write(folder.path(), "outside/accepted/right.sh", ADD);
    (folder, root)
}

fn link(target: impl AsRef<Path>, path: &Path) {
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder can be made");
    symlink(target, path).expect("a link can be made");
}

/// Returns the files of an archive, by name.
fn contents(archive: &Path) -> Vec<(String, String)> {
    let mut zip = zip::ZipArchive::new(fs::File::open(archive).unwrap()).unwrap();
    let count = zip.len();
    let text = |index: usize| {
        let mut entry = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().to_owned(), String::from_utf8_lossy(&bytes).into_owned())
    };
    (0..count).map(text).collect()
}

/// The paths from which `export` reads files.
const EXPORTED: [&str; 12] = [
    "submissions/accepted/x.sh",
    "submissions/accepted/folder/x.sh",
    "input_validators/w.sh",
    "output_validators/same/more.h",
    "answer_validators/a.sh",
    "problem_statement/picture.png",
    "problem.pdf",
    "problem.html",
    "attachments/notes.txt",
    "graders/grade.sh",
    "include/c/lib.h",
    "data/secret/1.png",
];

#[test]
fn export_refuses_every_link_out_of_the_package_with_its_target() {
    for name in EXPORTED {
        let (folder, package) = package_and_outside_files();
        let target = folder.path().canonicalize().unwrap().join("outside/key.sh");
        link(&target, &package.join(name));
        let archive = folder.path().join("sum.zip");
        let assertion = referee(["export", "--to", "kattis", "--out"]).arg(&archive).arg(&package).assert().code(2);
        let shown = format!("{name}: is a link that leads out of the package, to {}", target.display());
        let refused = format!("{name} is a link that leads out of the package, to {}", target.display());
        assertion.stderr(contains(shown).or(contains(refused))).stderr(contains(SECRET).not());
        assert!(!archive.exists(), "{name}");
    }
}

#[test]
fn export_refuses_chains_folders_and_links_that_lead_nowhere_or_in_circles() {
    for (name, target, says) in [
        ("submissions/accepted/d", "../../../outside", "leads out of the package, to ../../../outside ("),
        ("submissions/accepted/x.sh", "../../one", "leads out of the package, to ../../one ("),
        ("submissions/accepted/x.sh", "none.sh", "leads nowhere: none.sh does not exist"),
        ("submissions/accepted/d", "..", "is a link to a folder that contains the link: .."),
        ("submissions/accepted/x.sh", "/proc/self/cwd/outside/key.sh", "leads out of the package, to /proc/self/cwd/"),
        ("submissions/wrong_answer", "../../outside", "leads out of the package, to ../../outside ("),
        ("output_validators/same/d", "/etc", "leads out of the package, to /etc;"),
        ("attachments", "../outside", "leads out of the package, to ../outside ("),
        ("answer_validators", "..", "leads out of the package, to .. ("),
    ] {
        let (folder, package) = package_and_outside_files();
        link("../outside/key.sh", &package.join("one"));
        link(target, &package.join(name));
        let archive = folder.path().join("sum.zip");
        let mut command = referee(["export", "--to", "kattis", "--out"]);
        let assertion = command.arg(&archive).arg(&package).current_dir(folder.path()).assert().code(2);
        assertion.stderr(contains(name).and(contains(says))).stderr(contains(SECRET).not());
        assert!(!archive.exists(), "{name} -> {target}");
    }
}

#[test]
fn a_link_inside_the_package_is_judged_and_exported_as_what_it_leads_to() {
    let (folder, package) = package_and_outside_files();
    write(&package, "shared/add.sh", ADD);
    write(&package, "shared/more/notes.txt", "notes\n");
    link("../../shared/add.sh", &package.join("submissions/accepted/linked.sh"));
    link("linked.sh", &package.join("submissions/accepted/chain.sh"));
    link(package.canonicalize().unwrap().join("shared/add.sh"), &package.join("submissions/accepted/absolute.sh"));
    link("../shared/more", &package.join("attachments/more"));
    fs::rename(package.join("output_validators"), package.join("validators")).expect("a folder can be moved");
    link("validators", &package.join("output_validators"));
    let archive = folder.path().join("sum.zip");
    referee(["export", "--to", "kattis", "--out"]).arg(&archive).arg(&package).assert().success();
    let found = contents(&archive);
    for (name, wanted) in [
        ("submissions/accepted/linked.sh", ADD),
        ("submissions/accepted/chain.sh", ADD),
        ("submissions/accepted/absolute.sh", ADD),
        ("attachments/more/notes.txt", "notes\n"),
    ] {
        let text = found.iter().find(|(known, _)| *known == format!("sum/{name}")).map(|(_, text)| text.as_str());
        assert_eq!(text, Some(wanted), "{name}: {found:?}");
    }
    for judged in [&package, &archive] {
        let mut command = referee(["grade"]);
        command.arg(judged);
        let (code, lines) = json(command);
        let finished = of_type(&lines, "submission_finished");
        assert_eq!((code, finished.len()), (0, 4), "{lines:?}");
        assert!(finished.iter().all(|one| one["verdict"] == "AC"), "{lines:?}");
    }
}

#[test]
fn a_submission_behind_a_link_out_of_the_package_is_neither_compiled_nor_run() {
    let (folder, package) = package_and_outside_files();
    let outside = folder.path().canonicalize().unwrap().join("outside");
    let executable = write(&outside, "run", "#!/bin/sh\nread a b\necho $((a + b))\n");
    fs::set_permissions(&executable, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    link(outside.join("key.sh"), &package.join("submissions/accepted/key.sh"));
    link(&executable, &package.join("submissions/accepted/run"));
    link(&outside, &package.join("submissions/accepted/all"));
    link(outside.join("key.sh"), &package.join("submissions/accepted/part/key.sh"));
    write(&package, "submissions/accepted/part/main.sh", ADD);
    let mut command = referee(["grade"]);
    command.arg(&package);
    let (code, lines) = json(command);
    assert_eq!(code, 1);
    let built = of_type(&lines, "build_finished");
    for name in ["key.sh", "run", "all", "part"] {
        let built = built.iter().find(|build| build["submission"] == format!("accepted/{name}")).expect("it is tried");
        let message = built["message"].as_str().expect("it says why");
        assert!(message.contains("is a link that leads out of the package, to "), "{message}");
        assert!(message.contains(outside.to_str().expect("names are UTF-8")), "{message}");
    }
    let text = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(!text.contains(SECRET), "{text}");
    let ran: Vec<_> = of_type(&lines, "case_finished").into_iter().map(|case| case["submission"].clone()).collect();
    assert_eq!(ran, ["accepted/add.sh"]);
}

#[test]
fn a_grammar_behind_a_link_out_of_the_package_is_not_read() {
    let (folder, package) = package_and_outside_files();
    for ending in ["ctd", "viva"] {
        let grammar = write(folder.path(), &format!("outside/grammar.{ending}"), &format!("{SECRET}\n"));
        link(&grammar, &package.join(format!("input_validators/grammar.{ending}")));
    }
    let output = referee(["verify", "--only", "inputs"]).arg(&package).output().expect("referee starts");
    let said = said(&output).replace(SECRET, "<secret>");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for ending in ["ctd", "viva"] {
        let wanted =
            format!("is not run: input_validators/grammar.{ending} is a link that leads out of the package, to ");
        assert!(words.contains(&wanted), "{said}");
    }
    assert!(!said.contains("<secret>"), "{said}");
}

#[test]
fn folders_outside_are_no_part_of_a_package() {
    for (name, says) in [
        ("submissions", "submissions: is a link that leads out of the package, to "),
        ("submissions/wrong_answer", "submissions/wrong_answer: is a link that leads out of the package, to "),
        ("output_validators", "output_validators: is a link that leads out of the package, to "),
        ("data/sample", "data/sample: is a link that leads out of the package, to "),
        ("include", "include: is a link that leads out of the package, to "),
    ] {
        let (folder, package) = package_and_outside_files();
        let _ = fs::remove_dir_all(package.join(name));
        link(folder.path().join("outside"), &package.join(name));
        for command in [["grade"].as_slice(), &["verify"], &["hunt", "--seconds", "1"]] {
            let mut referee = referee(command);
            referee.arg(&package);
            if command[0] == "hunt" {
                referee.arg("README.md");
            }
            let output = referee.output().expect("referee starts");
            let said = said(&output);
            assert_eq!(output.status.code(), Some(2), "{command:?} {said}");
            assert!(said.contains(says) && !said.contains(SECRET), "{command:?} {said}");
        }
    }
    let (folder, package) = package_and_outside_files();
    fs::remove_dir_all(package.join("input_validators")).expect("it is there");
    link(folder.path().join("outside"), &package.join("input_validators"));
    let output = referee(["verify", "--only", "format,inputs"]).arg(&package).output().expect("referee starts");
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("input_validators: is a link that leads out of the package, to "), "{said}");
    assert!(!said.contains("key") && !said.contains(SECRET), "{said}");
}

/// Returns the output of a command with line breaks and multiple blanks replaced by single blanks.
fn said(output: &std::process::Output) -> String {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8_lossy(&text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn rules_of_generators_outside_are_not_read() {
    for (name, target) in [("generators", "../rules"), ("generators/generators.yaml", "../../rules/generators.yaml")] {
        let (folder, package) = package_and_outside_files();
        write(folder.path(), "rules/generators.yaml", &format!("{SECRET}: 1\n"));
        link(target, &package.join(name));
        let output = referee(["generate"]).arg(&package).output().expect("referee starts");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let says = format!("{name}: is a link that leads out of the package, to {target} (");
        assert!(said.contains(&says) && !said.contains(SECRET), "{said}");
    }
}

#[test]
fn programs_behind_links_out_of_the_package_are_not_changed() {
    let (folder, package) = package_and_outside_files();
    let outside = write(folder.path(), "outside/long.py", &format!("print({SECRET:?} if 1 < 2 else 3)\n"));
    link(&outside, &package.join("submissions/accepted/long.py"));
    let output = referee(["strength", "--no-hunt"]).arg(&package).output().expect("referee starts");
    let said = said(&output);
    assert!(said.contains("accepted/long.py is not mutated: submissions/accepted/long.py is a link"), "{said}");
    assert!(!said.contains(SECRET), "{said}");
}

#[test]
fn a_package_of_polygon_with_a_link_out_of_it_is_not_imported() {
    let folder = temporary_folder();
    let package = folder.path().join("polygon");
    write(&package, "problem.xml", "<problem short-name=\"a\"/>\n");
    write(folder.path(), "key", SECRET);
    link("../../key", &package.join("files/notes.txt"));
    let out = folder.path().join("out");
    let assertion = referee(["import"]).arg(&package).arg("--out").arg(&out).assert().code(2);
    assertion.stderr(contains("files/notes.txt is a link that leads out of the package, to ../../key ("));
    fs::remove_file(package.join("files/notes.txt")).expect("it is there");
    fs::rename(package.join("problem.xml"), folder.path().join("problem.xml")).expect("it is there");
    link("../problem.xml", &package.join("problem.xml"));
    let assertion = referee(["import"]).arg(&package).arg("--out").arg(&out).assert().code(2);
    assertion.stderr(contains("problem.xml is a link that leads out of the package, to ../problem.xml ("));
    assert!(!out.exists());
}

/// Creates an archive with the package `sum` and a shared folder. The programs of the package have links to the header
/// and the submission in that folder.
fn archive() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let root = folder.path().join("archive/sum");
    for (name, text) in [
        ("problem.yaml", "name: Sum\nvalidation: custom\n"),
        (".timelimit", "5\n"),
        ("problem_statement/problem.en.tex", "\\problemname{Sum}\n"),
        ("input_validators/check/check.py", "import shared\nshared.check()\n"),
        (
            "output_validators/same/compare.py",
            "import sys\nimport lib\nlib.judge(open(sys.argv[2]).read(), sys.stdin.read())\n",
        ),
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "3\n"),
    ] {
        write(&root, name, text);
    }
    write(folder.path(), "archive/shared/shared.py", "def check():\n    raise SystemExit(42)\n");
    write(
        folder.path(),
        "archive/shared/lib.py",
        "def judge(wanted, got):\n    raise SystemExit(42 if wanted.split() == got.split() else 43)\n",
    );
    write(folder.path(), "archive/shared/add.py", "print(sum(map(int, input().split())))\n");
    write(folder.path(), "outside/key.py", &format!("print(3)  # {SECRET}\n"));
    link("../../../shared/shared.py", &root.join("input_validators/check/shared.py"));
    link("../../../shared/lib.py", &root.join("output_validators/same/lib.py"));
    link("../../../shared/add.py", &root.join("submissions/accepted/add.py"));
    (folder, root)
}

#[test]
fn programs_may_share_files_of_the_archive_that_root_names() {
    needs!("python3");
    let (folder, package) = archive();
    let root = folder.path().join("archive");
    // Without --root, every command fails, and its error names the option.
    for command in
        [["grade"].as_slice(), &["verify", "--only", "inputs"], &["export", "--to", "kattis", "--out", "x.zip"]]
    {
        let output = referee(command).arg(&package).current_dir(folder.path()).output().expect("referee starts");
        let said = said(&output);
        assert_ne!(output.status.code(), Some(0), "{command:?} {said}");
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("leads out of the package") && words.contains("--root DIR"), "{command:?} {words}");
    }
    let mut command = referee(["grade", "--root"]);
    command.arg(&root).arg(&package);
    let (code, lines) = json(command);
    assert_eq!(code, 0, "{lines:?}");
    assert_eq!(of_type(&lines, "submission_finished")[0]["verdict"], "AC");
    referee(["verify", "--strict", "--only", "inputs,answers,submissions", "--root"])
        .arg(&root)
        .arg(&package)
        .assert()
        .success();

    // The exported package contains copies and needs no archive.
    let exported = folder.path().join("sum.zip");
    let mut command = referee(["export", "--to", "kattis", "--root"]);
    command.arg(&root).arg("--out").arg(&exported).arg(&package).assert().success();
    assert!(
        contents(&exported).iter().any(|(name, text)| name.ends_with("same/lib.py") && text.starts_with("def judge"))
    );
    referee(["grade"]).arg(&exported).assert().success();
}

#[test]
fn root_allows_no_link_out_of_the_archive_and_none_in_data() {
    needs!("python3");
    let (folder, package) = archive();
    let root = folder.path().join("archive");
    link("../../../../outside/key.py", &package.join("submissions/accepted/key.py"));
    let mut command = referee(["grade", "--root"]);
    command.arg(&root).arg(&package);
    let (code, lines) = json(command);
    assert_eq!(code, 1);
    let text = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(text.contains("leads out of the package and out of --root ") && !text.contains(SECRET), "{text}");
    fs::remove_file(package.join("submissions/accepted/key.py")).expect("it is there");

    for (name, target) in [
        ("data/secret/2.ans", "../../../shared/lib.py"),
        (".timelimit", "../shared/lib.py"),
        ("submissions/submissions.yaml", "../../shared/lib.py"),
    ] {
        let _ = fs::remove_file(package.join(name));
        write(&package, "data/secret/2.in", "1 2\n");
        write(&package, "data/secret/2.ans", "3\n");
        fs::remove_file(package.join(name)).ok();
        link(target, &package.join(name));
        let output = referee(["grade", "--root"]).arg(&root).arg(&package).output().expect("referee starts");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains(&format!("{name}: is a link that leads out of the package, to ")), "{said}");
        fs::remove_file(package.join(name)).expect("it is there");
        write(&package, ".timelimit", "5\n");
    }
}

#[test]
fn a_package_outside_of_root_and_a_root_that_is_no_folder_are_refused() {
    let (folder, package) = archive();
    let outside = folder.path().join("outside");
    let refused = |root: &Path, package: &Path, says: &str| {
        referee(["grade", "--root"]).arg(root).arg(package).assert().code(2).stderr(contains(says));
    };
    refused(&outside, &package, "is not inside the folder ");
    refused(&outside, Path::new("flipgame"), "is not inside the folder ");
    refused(&folder.path().join("none"), &package, "cannot be read: ");
    refused(&outside.join("key.py"), &package, "is not a folder");
}
