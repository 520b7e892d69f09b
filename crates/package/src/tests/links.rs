//! Tests that links are followed inside the package and nowhere else.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::super::links::{Boundary, Found, Refused, resolve};
use super::*;

fn files(root: &Path, from: &Path) -> Result<Vec<Found>, Vec<Refused>> {
    Boundary::of_package(root).files(from)
}

fn refused_below(root: &Path, from: &Path) -> Vec<Refused> {
    Boundary::of_package(root).refused_below(from)
}

/// Creates a folder `package` with a few files, and beside it a folder with a secret file.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("package");
    write(&root, "own/file.h", "own");
    write(&root, "own/deep/other.h", "other");
    write(&root, ".hidden/x", "");
    write(folder.path(), "outside/secret.h", "secret");
    (folder, root)
}

fn reason(root: &Path, name: &str) -> String {
    resolve(root, &root.join(name)).unwrap_err().to_string()
}

#[test]
fn a_link_inside_the_package_is_its_target_whichever_way_it_goes() {
    let (_folder, root) = place();
    for (name, target) in [
        ("relative", "own/file.h".into()),
        ("absolute", root.join("own/file.h")),
        ("there_and_back", "../package/own/file.h".into()),
        ("chain", "relative".into()),
    ] {
        symlink(target, root.join(name)).unwrap();
        assert_eq!(resolve(&root, &root.join(name)).unwrap(), root.join("own/file.h"), "{name}");
    }
    assert_eq!(resolve(&root, &root.join("none/at/all")).unwrap(), root.join("none/at/all"));
}

#[test]
fn a_link_out_of_the_package_is_refused_with_its_target_however_it_is_made() {
    let (folder, root) = place();
    let outside = folder.path().canonicalize().unwrap().join("outside");
    let secret = outside.join("secret.h");
    symlink("../outside/secret.h", root.join("relative")).unwrap();
    symlink(&secret, root.join("absolute")).unwrap();
    symlink("relative", root.join("chain")).unwrap();
    symlink(&outside, root.join("folder")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    symlink("round", root.join("round")).unwrap();
    symlink(format!("/proc/self/root{}", secret.display()), root.join("root_of_a_process")).unwrap();
    symlink("/proc/self/environ", root.join("environment")).unwrap();
    let (shown, copy) = (secret.display(), "replace the link with a copy of its target");
    let leads = "is a link that leads out of the package, to";
    assert_eq!(reason(&root, "absolute"), format!("absolute {leads} {shown}; {copy}"));
    assert_eq!(reason(&root, "relative"), format!("relative {leads} ../outside/secret.h ({shown}); {copy}"));
    assert_eq!(reason(&root, "chain"), format!("chain {leads} relative ({shown}); {copy}"));
    // The message names the link on the way, not the file behind it.
    assert_eq!(reason(&root, "folder/secret.h"), format!("folder {leads} {}; {copy}", outside.display()));
    assert_eq!(reason(&root, "dangling"), "dangling is a link that leads nowhere: nowhere does not exist");
    assert!(reason(&root, "round").starts_with("round is a link to round that cannot be followed: "));
    assert!(reason(&root, "root_of_a_process").contains(&format!("({shown})")));
    assert!(reason(&root, "environment").contains("to /proc/self/environ (/proc/"));
    assert_eq!(
        reason(&root, "../outside/secret.h"),
        format!("../outside/secret.h leads out of the package, to {shown}")
    );
}

#[test]
fn names_of_links_and_targets_cannot_begin_another_line() {
    let (_folder, root) = place();
    symlink("/etc/\u{1b}[31m\nerror: x", root.join("a\nb")).unwrap();
    let reason = reason(&root, "a\nb");
    assert!(!reason.contains('\n') && !reason.contains('\u{1b}'), "{reason:?}");
}

#[test]
fn the_files_of_a_folder_are_told_through_links_inside() {
    let (_folder, root) = place();
    write(&root, "program/main.cpp", "");
    symlink("../own", root.join("program/lib")).unwrap();
    symlink("../.hidden", root.join("program/.ignored")).unwrap();
    let found = files(&root, &root.join("program")).unwrap();
    let found: Vec<_> = found.iter().map(|found| (found.below.to_str().unwrap(), found.real.clone())).collect();
    let wanted = [
        ("lib/deep/other.h", root.join("own/deep/other.h")),
        ("lib/file.h", root.join("own/file.h")),
        ("main.cpp", root.join("program/main.cpp")),
    ];
    assert_eq!(found, wanted);
    let alone = files(&root, &root.join("own/file.h")).unwrap();
    assert_eq!((alone[0].below.as_path(), alone.len()), (Path::new(""), 1));
}

#[test]
#[ignore = "takes ten seconds: a hundred thousand files"]
fn a_folder_that_holds_itself_by_a_link_is_refused_and_not_walked_for_ever() {
    let (_folder, root) = place();
    symlink("..", root.join("own/deep/up")).unwrap();
    let refused = files(&root, &root.join("own")).unwrap_err();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].to_string(), "own/deep/up is a link to a folder that contains the link: ..");
    // Many links to few folders make exponentially many paths.
    for depth in 0..20 {
        fs::create_dir_all(root.join(format!("many/{depth}"))).unwrap();
        for twin in ["a", "b"] {
            symlink(format!("../{}", depth + 1), root.join(format!("many/{depth}/{twin}"))).unwrap();
        }
    }
    write(&root, "many/20/x", "");
    let refused = files(&root, &root.join("many/0")).unwrap_err();
    assert!(
        refused.iter().any(|refused| refused.to_string().contains("contains more than 100000 files")),
        "{refused:?}"
    );
    assert_eq!(refused_below(&root, &root.join("many")), []);
}

#[test]
fn what_is_refused_in_a_folder_is_told_all_at_once() {
    let (_folder, root) = place();
    symlink("../../outside", root.join("own/away")).unwrap();
    symlink("/nowhere", root.join("own/deep/none")).unwrap();
    symlink("/etc/passwd", root.join(".hidden/passwd")).unwrap();
    let told = |refused: Vec<Refused>| {
        refused.iter().map(|one| one.path_in(Path::new("")).display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(told(files(&root, &root.join("own")).unwrap_err()), ["own/away", "own/deep/none"]);
    assert_eq!(told(refused_below(&root, &root)), ["own/away", "own/deep/none"]);
    // The search skips a hidden folder, unless a link leads to it.
    symlink("../.hidden", root.join("own/seen")).unwrap();
    assert_eq!(told(refused_below(&root, &root)), ["own/away", "own/deep/none", "own/seen/passwd"]);
}

#[test]
fn nothing_that_data_links_to_outside_is_read_or_shown() {
    let folder = package(DATED);
    write(folder.path(), ".shared/x.txt", "");
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.yaml", "root:x:0:0\n");
    for (name, target) in [
        ("data/secret/test_group.yaml", outside.path().join("secret.yaml")),
        (".shared/y.yaml", outside.path().join("secret.yaml")),
        ("data/secret/more", "../../.shared".into()),
        (".timelimit", outside.path().join("secret.yaml")),
        ("submissions/submissions.yaml", outside.path().join("secret.yaml")),
        ("submissions/other", outside.path().to_path_buf()),
        ("include", outside.path().to_path_buf()),
    ] {
        symlink(target, folder.path().join(name)).unwrap();
    }
    let complaints = complaints(&folder);
    let links = [
        "data/secret/more/y.yaml",
        "data/secret/test_group.yaml",
        ".timelimit",
        "include",
        "submissions/other",
        "submissions/submissions.yaml",
    ];
    assert_eq!(complaints.len(), links.len(), "{complaints:#?}");
    for (link, complaint) in links.iter().zip(&complaints) {
        assert!(complaint.starts_with(&format!("{link}: is a link that leads out of the package, to ")), "{complaint}");
        assert!(!complaint.contains("root:x"), "{complaint}");
    }
    fs::rename(folder.path().join("problem.yaml"), outside.path().join("problem.yaml")).unwrap();
    symlink(outside.path().join("problem.yaml"), folder.path().join("problem.yaml")).unwrap();
    let complaints = super::complaints(&folder);
    assert!(complaints.len() == 1 && complaints[0].starts_with("problem.yaml: is a link that leads out"));
}

#[test]
fn a_validator_in_a_folder_outside_is_not_used() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "check.py", "");
    for (name, problem) in [("output_validator", DATED), ("static_validator", DATED)] {
        let folder = package(problem);
        write(folder.path(), "data/secret/test_group.yaml", "static_validation_score: pass-fail\n");
        if name != "static_validator" {
            write(folder.path(), "static_validator/s.py", "");
        }
        symlink(outside.path(), folder.path().join(name)).unwrap();
        let complaints = complaints(&folder);
        assert_eq!(complaints.len(), 1, "{complaints:#?}");
        assert!(complaints[0].starts_with(&format!("{name}: is a link that leads out of the package")));
    }
    let folder = legacy_package("name: Add\ntype: scoring\n");
    write(folder.path(), "data/testdata.yaml", "grading: custom\n");
    symlink(outside.path(), folder.path().join("graders")).unwrap();
    assert!(complaints(&folder)[0].starts_with("graders: is a link that leads out of the package"));
    let folder = package(DATED);
    fs::remove_dir_all(folder.path().join("input_validators")).unwrap();
    symlink(outside.path(), folder.path().join("input_validators")).unwrap();
    assert_eq!(load(folder.path()).unwrap().input_validators, []);
    assert!(remarks(&folder).iter().any(|remark| remark.starts_with("input_validators: is a link that leads out")));
}

#[test]
fn a_link_of_a_program_may_lead_into_the_archive_that_the_user_named_and_no_further() {
    let (folder, root) = place();
    let outer = folder.path().canonicalize().unwrap();
    write(&outer, "archive/headers/lib.h", "shared");
    fs::rename(&root, outer.join("archive/package")).unwrap();
    let (archive, root) = (outer.join("archive"), outer.join("archive/package"));
    symlink("../../headers/lib.h", root.join("own/lib.h")).unwrap();
    symlink("../../headers", root.join("own/headers")).unwrap();
    symlink("../../../outside/secret.h", root.join("own/secret.h")).unwrap();
    let reason = |boundary: &Boundary, name: &str| boundary.resolve(&root.join(name)).unwrap_err().to_string();

    let allowed = Boundary::of_programs(&root, Some(&archive));
    assert_eq!(allowed.resolve(&root.join("own/lib.h")).unwrap(), archive.join("headers/lib.h"));
    let secret = outer.join("outside/secret.h");
    let shown = (archive.display(), secret.display());
    assert_eq!(
        reason(&allowed, "own/secret.h"),
        format!(
            "own/secret.h is a link that leads out of the package and out of --root {}, to ../../../outside/secret.h \
             ({}); replace the link with a copy of its target",
            shown.0, shown.1
        )
    );
    let refused = allowed.files(&root.join("own")).unwrap_err();
    assert_eq!(refused.iter().map(|one| one.path_in(&root)).collect::<Vec<_>>(), [root.join("own/secret.h")]);
    assert_eq!(allowed.refused_below(&root), refused);
    fs::remove_file(root.join("own/secret.h")).unwrap();
    let found: Vec<_> = allowed.files(&root.join("own")).unwrap().into_iter().map(|found| found.below).collect();
    assert_eq!(found, ["deep/other.h", "file.h", "headers/lib.h", "lib.h"].map(PathBuf::from));

    // Without an archive, the message names `--root` only if that option would help.
    assert!(reason(&Boundary::of_programs(&root, None), "own/lib.h").contains("or allow the link with --root DIR"));
    assert!(!reason(&Boundary::of_package(&root), "own/lib.h").contains("--root"));
    // For a program outside the package, the boundary does not include the archive.
    symlink(archive.join("headers/lib.h"), outer.join("outside/lib.h")).unwrap();
    let around = allowed.of_program(&outer.join("outside/main.c"));
    assert!(around.resolve(&outer.join("outside/lib.h")).is_err());
}

#[test]
fn folders_may_be_nested_a_hundred_deep_and_no_deeper() {
    let (_folder, root) = place();
    let most = "x/".repeat(99);
    fs::create_dir_all(root.join(format!("attic/{most}"))).unwrap();
    symlink("/nowhere", root.join(format!("attic/{most}link"))).unwrap();
    let refused = refused_below(&root, &root);
    assert!(refused.len() == 1 && refused[0].reason().contains("leads nowhere"), "{refused:?}");
    fs::create_dir_all(root.join(format!("attic/{most}a"))).unwrap();
    fs::create_dir_all(root.join(format!("attic/{most}b"))).unwrap();
    let refused: Vec<_> = refused_below(&root, &root).iter().map(ToString::to_string).collect();
    let wanted = "attic contains folders nested more than 100 deep; remove them or move their files up";
    assert!(refused.iter().filter(|refused| *refused == wanted).count() == 1, "{refused:?}");
}

#[test]
fn a_package_with_folders_nested_too_deep_is_not_read() {
    for folder in ["data/secret", "attic"] {
        let package = package(DATED);
        fs::create_dir_all(package.path().join(folder).join("x/".repeat(1000))).unwrap();
        let errors = load(package.path()).unwrap_err().to_string();
        assert_eq!(errors.matches("contains folders nested more than 100 deep").count(), 1, "{errors}");
    }
}

#[test]
fn a_circle_in_the_included_files_is_an_error_of_the_package() {
    let folder = package(DATED);
    write(folder.path(), "include/default/x.h", "");
    symlink(".", folder.path().join("include/default/circle")).unwrap();
    assert_eq!(complaints(&folder), ["include/default/circle: is a link to a folder that contains the link: ."]);
}

#[test]
fn a_link_out_of_the_package_is_refused_inside_a_folder_behind_a_link() {
    let (_folder, root) = place();
    fs::create_dir(root.join("program")).unwrap();
    symlink("../own", root.join("program/lib")).unwrap();
    symlink("../../../outside/secret.h", root.join("own/deep/away")).unwrap();
    symlink("../../../outside", root.join("own/deep/folder")).unwrap();
    let refused: Vec<_> = files(&root, &root.join("program")).unwrap_err().iter().map(ToString::to_string).collect();
    let leads = "is a link that leads out of the package, to ../../../outside";
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(refused[0].starts_with(&format!("program/lib/deep/away {leads}/secret.h")), "{refused:?}");
    assert!(refused[1].starts_with(&format!("program/lib/deep/folder {leads} ")), "{refused:?}");
}

#[test]
fn links_and_folders_in_a_folder_that_only_lists_its_names_are_refused() {
    let (_folder, root) = place();
    symlink("../../outside/secret.h", root.join("own/away")).unwrap();
    let mode = |bits| fs::set_permissions(root.join("own"), fs::Permissions::from_mode(bits)).unwrap();
    mode(0o444);
    let is_root = fs::metadata(root.join("own/file.h")).is_ok();
    let found = [files(&root, &root.join("own")).unwrap_err(), refused_below(&root, &root)];
    mode(0o755);
    if is_root {
        eprintln!("skipped: root can read every folder");
        return;
    }
    for refused in found {
        let refused: Vec<_> = refused.iter().map(ToString::to_string).collect();
        let names: Vec<_> = refused.iter().filter_map(|refused| refused.split(' ').next()).collect();
        assert_eq!(names, ["own/away", "own/deep"], "{refused:?}");
        assert!(refused.iter().all(|refused| refused.contains("Permission denied")), "{refused:?}");
    }
}
