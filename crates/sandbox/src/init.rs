//! Initialises the sandbox. A program does this before it runs other programs in the sandbox.

use std::sync::OnceLock;

use super::zygote;

/// The configuration of the sandbox: the name of the program, the environment variable that switches off mechanisms,
/// and the command that prints an AppArmor profile.
///
/// # Examples
/// ```
/// use referee_sandbox::Config;
///
/// const CONFIG: Config = Config::new("judge").without_from("JUDGE_SANDBOX_WITHOUT");
/// # let _ = CONFIG;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    name: &'static str,
    without: Option<&'static str>,
    apparmor_profile: Option<&'static str>,
}

impl Config {
    /// Configures the sandbox of the program `name`.
    ///
    /// Control groups and helper processes have names that begin with `name`. Messages that tell the user how to start
    /// the program with more rights contain the name, too.
    ///
    /// # Panics
    /// If the name is empty, or contains a slash or a NUL byte. In a constant, the panic is a compile error.
    #[must_use]
    pub const fn new(name: &'static str) -> Config {
        let bytes = name.as_bytes();
        assert!(!bytes.is_empty(), "the name of the program is empty");
        let mut at = 0;
        while at < bytes.len() {
            assert!(bytes[at] != b'/' && bytes[at] != 0, "the name of the program contains a slash or a NUL byte");
            at += 1;
        }
        Config { name, without: None, apparmor_profile: None }
    }

    /// Lets the user switch off mechanisms of the sandbox. The user sets the environment variable `variable` to a list,
    /// separated by commas. Its items can be `namespaces`, `landlock`, `seccomp`, `cgroups`, `systemd` and `task_clock`.
    /// If the list contains `systemd`, the sandbox does not ask systemd for a control group. If it contains
    /// `task_clock`, the sandbox does not use the kernel's counter of CPU time, which replaces control groups.
    ///
    /// This is for tests and for debugging. A program that allows this calls [`crate::check_disabled_mechanisms`],
    /// which finds misspelt names. Without `without_from`, no environment variable has an effect.
    #[must_use]
    pub const fn without_from(self, variable: &'static str) -> Config {
        Config { without: Some(variable), ..self }
    }

    /// Sets the command that prints an AppArmor profile for the program. If AppArmor denies user namespaces, the remedy
    /// that the sandbox suggests contains this command.
    #[must_use]
    pub const fn apparmor_profile_from(self, command: &'static str) -> Config {
        Config { apparmor_profile: Some(command), ..self }
    }
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// Initialises the sandbox. The program calls it first in `main`, before it starts a thread, reads its arguments or
/// writes anything.
///
/// In the program itself `init` only stores `config`; it starts nothing. Before the first run of a program, the sandbox
/// executes the binary of its own process once more (`/proc/self/exe`). The new process has no arguments, and its
/// environment contains only a mark. In that new process `init` sees the mark and does not return. The process becomes
/// the *spawner*, which forks the processes that run programs. The spawner exits when the program that started it ends.
///
/// So the spawner stays small and has one thread, while the program itself may use gigabytes and many threads.
///
/// # Incorrect use
/// - Without `init`, each run fails with [`crate::SandboxError::NotInitialised`], and [`crate::Enforcement::of`]
///   reports no isolation. The sandbox does not execute the binary again.
/// - If threads were started before `init`, each run fails with an error that says so. The spawner forks, and a lock
///   that another thread holds at that moment would never be released in the child.
/// - A second call has no effect.
///
/// The harness of `cargo test` has its own `main`; there, use [`crate::init_before_main`].
pub fn init(config: Config) {
    let _ = CONFIG.set(config);
    zygote::serve_if_spawner();
}

/// Whether [`init`] was called.
pub(super) fn is_done() -> bool {
    CONFIG.get().is_some()
}

/// Returns the name of the program; `sandbox` before [`init`].
pub(super) fn name() -> &'static str {
    CONFIG.get().map_or("sandbox", |config| config.name)
}

/// Returns the environment variable with which the user switches off mechanisms; `None` if the program configured none.
pub(super) fn without() -> Option<&'static str> {
    CONFIG.get().and_then(|config| config.without)
}

/// Returns the command that prints an AppArmor profile; `None` if the program configured none.
pub(super) fn apparmor_profile() -> Option<&'static str> {
    CONFIG.get().and_then(|config| config.apparmor_profile)
}

/// Calls [`init`](fn@init) before `main`, for binaries whose `main` is not the program's own.
///
/// Tests need it: their harness starts threads before the first test, and its `main` cannot be changed. Use the macro
/// once in the root of the test's crate. An ordinary program calls [`init`](fn@init) itself, because code that runs
/// before `main` is hard to find and to order. The C library calls the generated function as an entry of `.init_array`,
/// before Rust's own start-up.
///
/// # Examples
/// ```no_run
/// #[cfg(test)]
/// referee_sandbox::init_before_main!(referee_sandbox::Config::new("tests"));
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! init_before_main {
    ($config:expr) => {
        const _: () = {
            extern "C" fn initialise_sandbox() {
                $crate::init($config);
            }

            #[used]
            #[unsafe(link_section = ".init_array")]
            static INITIALISE: extern "C" fn() = initialise_sandbox;
        };
    };
}
