//! Tests of writable folders that serve several instances. The shell of the first run of a zygote has process number 2,
//! and the shells of later runs have larger numbers. So the numbers show whether a zygote is used again.

use super::*;

/// Each instance of the sandbox gets the same folder if that is possible.
fn sandbox(above: &tempfile::TempDir) -> Sandbox {
    let path = above.path().to_path_buf();
    let scratch = Scratch { path: path.clone(), bytes: 1 << 20, files: 1 << 10, file_bytes: None, is_reused: true };
    let shell = shell_program("cd \"$1\" && eval \"$2\" && echo $$");
    Sandbox::open(Program { scratch: Some(scratch), ..shell }, Mode::Auto)
}

/// Runs the script in the folder, and returns its output and the process number of the shell.
fn run(instance: &mut Instance<'_>, above: &tempfile::TempDir, script: &str) -> (String, u32) {
    let arguments = vec!["sh".into(), above.path().into(), script.into()];
    let outcome = instance.run(&Run { arguments, input: Input::Empty, limits: ROOMY }).unwrap();
    assert_eq!(outcome.ended, Ended::Exited(0), "{script}: {}", String::from_utf8_lossy(&outcome.stderr));
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let (output, number) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    (output.to_owned(), number.parse().unwrap())
}

/// What a program sees of its folder: its mode, attributes and files, but not its owner and times.
const LOOK: &str = "stat -c '%a %h' .; ls -a; lsattr -d . 2>/dev/null | cut -d' ' -f1";

#[test]
fn the_next_instance_finds_the_folder_empty() {
    if machine::capabilities().isolation.namespaces.is_none() {
        return eprintln!("skipped, there are no namespaces");
    }
    let above = tempfile::tempdir().unwrap();
    let sandbox = sandbox(&above);
    let new = run(&mut sandbox.instance().unwrap(), &above, LOOK);
    assert_eq!(new.1, 2, "this is the first run of the zygote");
    let mut instance = sandbox.instance().unwrap();
    let (_, number) = run(&mut instance, &above, "echo secret > judgemessage.txt; ln judgemessage.txt .again");
    assert!(number > 2, "the zygote is used again");
    let (files, _) = run(&mut instance, &above, "cat .again");
    assert_eq!(files, "secret", "within an instance, the files stay");
    drop(instance);
    let (seen, number) = run(&mut sandbox.instance().unwrap(), &above, LOOK);
    assert_eq!(seen, new.0);
    assert!(number > 2, "the zygote is used again");
}

#[test]
fn a_folder_that_was_changed_is_not_used_again() {
    if machine::capabilities().isolation.namespaces.is_none() {
        return eprintln!("skipped, there are no namespaces");
    }
    let above = tempfile::tempdir().unwrap();
    let sandbox = sandbox(&above);
    let new = run(&mut sandbox.instance().unwrap(), &above, LOOK).0;
    for change in [
        "mkdir inside",
        "ln -s / link",
        "mkfifo pipe",
        "chmod 700 .",
        "chmod 000 .",
        "for number in $(seq 65); do : > $number; done",
        "head -c 900000 /dev/urandom > large; mkdir inside",
    ] {
        let (_, number) = run(&mut sandbox.instance().unwrap(), &above, change);
        let (seen, next) = run(&mut sandbox.instance().unwrap(), &above, LOOK);
        assert_eq!((seen, next), (new.clone(), 2), "after {change}, whose shell was {number}");
    }
}

#[test]
fn a_folder_for_one_instance_only_is_new_each_time() {
    let above = tempfile::tempdir().unwrap();
    let once = sandbox(&above).with_changed(|program| {
        program.scratch = program.scratch.take().map(|scratch| Scratch { is_reused: false, ..scratch });
    });
    let numbers = [(); 2].map(|()| run(&mut once.instance().unwrap(), &above, "echo").1);
    if machine::capabilities().isolation.namespaces.is_some() {
        assert_eq!(numbers, [2, 2]);
    }
}
