//! Programs that are forked from a warm process.
//!
//! The interpreter of these tests is the shell. The shell sets `$$` when it starts, so all forks of one warm process
//! have the same `$$`, and runs that start anew have different ones.

use super::*;

/// A sandbox of a shell that runs `before` and then the file with the text `program`. It is warm until it opens the
/// file.
struct Shell {
    sandbox: Sandbox,
    program: Program,
    _folder: tempfile::TempDir,
}

impl Shell {
    /// Returns `None`, and says why, if this machine keeps nothing warm.
    fn open(before: &str, program: &str) -> Option<Shell> {
        if let Some(reason) = why_never_warm(Mode::Auto) {
            assert!(std::env::var_os("SANDBOX_TESTS_NEED_CONTROL_GROUPS").is_none(), "{reason}");
            eprintln!("skipped, no program is kept warm: {reason}");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let file = folder.path().join("program.sh");
        std::fs::write(&file, program).unwrap();
        let script = format!("{before}\n. \"$0\"");
        let words: [OsString; 4] = ["/bin/sh".into(), "-c".into(), script.into(), file.clone().into()];
        let program = Program {
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            readable: vec![folder.path().to_path_buf()],
            warm_until: Some(file),
            ..Program::new(words, "/")
        };
        Some(Shell { sandbox: Sandbox::open(program.clone(), Mode::Auto), program, _folder: folder })
    }

    fn run(&self, input: &str, argument: &str, limits: Limits) -> Outcome {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, input).unwrap();
        let arguments = vec![argument.into()];
        self.sandbox.run(&Run { arguments, input: Input::File(file.path()), limits }).unwrap()
    }

    /// Runs the program with the same argument, and returns its standard output.
    fn said(&self, input: &str) -> String {
        let outcome = self.run(input, "argument", ROOMY);
        String::from_utf8_lossy(&outcome.stdout).into_owned()
    }
}

#[test]
fn from_the_second_run_on_a_program_is_forked_and_gets_its_own_input() {
    let Some(shell) = Shell::open("", "read -r text; echo \"$text $$\"") else { return };
    let said: Vec<_> = ["a", "b", "c", "d"].map(|text| shell.said(&format!("{text}\n"))).into();
    let (texts, numbers): (Vec<_>, Vec<_>) = said.iter().map(|line| line.trim().split_once(' ').unwrap()).unzip();
    assert_eq!(texts, ["a", "b", "c", "d"]);
    assert_ne!(numbers[0], numbers[1], "the first run starts anew");
    assert_eq!(numbers[1..], [numbers[1]; 3], "the others are forks of one process");
}

#[test]
fn forks_may_use_all_cores_although_the_zygote_stays_on_one() {
    let Some(shell) = Shell::open("", "grep Cpus_allowed_list /proc/self/status") else { return };
    for _ in 0..4 {
        assert_eq!(shell.said("").trim_end(), own_cores());
    }
}

#[test]
fn what_the_interpreter_writes_before_it_opens_the_file_is_the_output_of_each_run() {
    let Some(shell) = Shell::open("echo early; echo also early >&2", "echo late $$") else { return };
    let outcomes = [(); 4].map(|()| shell.run("", "", ROOMY));
    for outcome in &outcomes {
        assert!(outcome.stdout.starts_with(b"early\nlate "));
        assert_eq!(&*outcome.stderr, b"also early\n");
    }
    assert_eq!(*outcomes[2].stdout, *outcomes[3].stdout, "they are forks of one process");
}

#[test]
fn a_program_that_cannot_be_kept_warm_starts_anew_each_time() {
    let reads = ("read -r first", "read -r second; echo $second");
    let forks = ("/bin/true", "echo x");
    let holds_a_file_open = ("exec 5</etc/passwd || exec 5</dev/null", "echo x");
    let writes_much = ("for n in 1 2 3 4 5 6 7 8 9 10 11; do printf '%128s' '' >&2; done", "echo x");
    let raises_a_signal = ("trap : USR1; kill -USR1 $$", "echo x");
    for (before, program) in [reads, forks, holds_a_file_open, writes_much, raises_a_signal] {
        let Some(shell) = Shell::open(before, &format!("{program} $$")) else { return };
        let said: Vec<_> = [(); 3].map(|()| shell.said("1\n2\n")).into();
        let numbers: std::collections::BTreeSet<_> = said.iter().map(|line| line.rsplit(' ').next()).collect();
        assert_eq!(numbers.len(), 3, "{before}: {said:?}");
    }
    let Some(shell) = Shell::open("exit 3", "") else { return };
    assert_eq!([(); 3].map(|()| shell.run("", "", ROOMY).ended), [Ended::Exited(3); 3]);
}

#[test]
fn a_fork_ends_as_a_program_that_was_started_anew() {
    let program = "read -r way; case $way in signal) kill -TERM $(exec sh -c 'echo $PPID');; *) exit $way;; esac";
    let Some(shell) = Shell::open("", program) else { return };
    for _ in 0..2 {
        for code in [0, 1, 7, 255] {
            assert_eq!(shell.run(&format!("{code}\n"), "", ROOMY).ended, Ended::Exited(code));
        }
        assert_eq!(shell.run("signal\n", "", ROOMY).ended, Ended::Signaled(15));
    }
}

#[test]
fn a_run_with_other_arguments_or_limits_is_not_a_fork_of_the_old_process() {
    let Some(shell) = Shell::open("", "echo $1; ulimit -n; ulimit -s") else { return };
    let stack = |limits: Limits| stack::limit_bytes(limits.memory_bytes) >> 10;
    let small = Limits { memory_bytes: 64 << 20, ..ROOMY };
    for (argument, limits) in [("a", ROOMY), ("a", ROOMY), ("b", ROOMY), ("b", small), ("b", small), ("a", ROOMY)] {
        let said = shell.run("", argument, limits).stdout;
        assert_eq!(String::from_utf8_lossy(&said), format!("{argument}\n1024\n{}\n", stack(limits)));
    }
}

#[test]
fn a_run_that_leaves_a_process_or_is_killed_ends_the_warm_process_too() {
    let program = "read -r way; echo $$; case $way in leaves) sleep 1000 & ;; spins) while :; do :; done;; esac";
    let Some(shell) = Shell::open("", program) else { return };
    let said = |way: &str| {
        let cpu = Duration::from_millis(if way == "spins" { 50 } else { 5000 });
        let outcome = shell.run(&format!("{way}\n"), "", Limits { cpu, ..ROOMY });
        (String::from_utf8_lossy(&outcome.stdout).into_owned(), outcome.crossed)
    };
    said("");
    for way in ["leaves", "kept", "leaves", "kept"] {
        let (before, _) = said("");
        assert_eq!(said(""), (before.clone(), None));
        assert_eq!(said(way), (before.clone(), None));
        let after = said("").0;
        assert_eq!(after == before, way == "kept", "{way}");
    }
    assert_eq!(said("spins").1, Some(Crossed::Cpu));
    assert_eq!(said("").1, None);
}

/// Prints what the kernel says of the program, except for its process number and its memory.
const DESCRIBES_ITSELF: &str = r#"
while read -r line; do echo "limit $line"; done </proc/self/limits
while read -r name values; do
    case $name in
        Uid:|Gid:|Groups:|TracerPid:|Threads:|Sig[PBIC]*|ShdPnd:|Cap*|NoNewPrivs:|Seccomp*|Spec*|Cpus_*|Mems_*)
            echo "$name $values" ;;
    esac
done </proc/self/status
read -r pid name state parent group session terminal rest </proc/self/stat
echo "parent $parent, terminal $terminal"
if [ "$pid" = "$session" ]; then echo 'leads its session'; else echo "is in session $session"; fi
if [ "$pid" = "$group" ]; then echo 'leads its group'; else echo "is in group $group"; fi
echo /proc/self/fd/* $(umask) $(pwd)
echo $$ >&2
exec /bin/sh -c 'ls -l /proc/self/fd | while read -r mode links owner of size month day time number rest; do
    echo "$mode $owner $of $number"; done'
"#;

#[test]
fn the_kernel_says_the_same_of_a_fork_as_of_a_program_that_started_anew() {
    let Some(shell) = Shell::open("", DESCRIBES_ITSELF) else { return };
    let said = || {
        let Outcome { stdout, stderr, .. } = shell.run("", "", ROOMY);
        [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let [anew, _] = said();
    for expected in ["limit Max open files", "Uid: ", "Seccomp_filters: ", "SigBlk: 0", "leads its group", "parent 1,"]
    {
        assert!(anew.contains(expected), "{expected}: {anew}");
    }
    let [[one, its_number], [other, same_number]] = [said(), said()];
    assert_eq!(its_number, same_number, "they are forks of one process");
    assert_eq!([one, other], [anew.clone(), anew]);
}

#[test]
fn only_programs_of_a_warm_process_have_a_second_filter() {
    let program = "while read -r name value; do [ $name = Seccomp_filters: ] && echo $value; done </proc/self/status";
    let Some(mut shell) = Shell::open("", program) else { return };
    let filters = |shell: &Shell| shell.said("").trim().parse::<u32>().unwrap();
    let warm = [filters(&shell), filters(&shell)];
    shell.sandbox = Sandbox::open(Program { warm_until: None, ..shell.program.clone() }, Mode::Auto);
    let cold = filters(&shell);
    assert_eq!(warm, [cold + 1; 2]);
}
