//! Why the kernel refuses namespaces to this process, and what a user can do about it.

use std::fs;

use rustix::process::{DumpableBehavior, dumpable_behavior};

use super::container::{self, Part};
use super::init;
use super::machine::{Refused, set_up_remedy};
use super::plan::SetupError;

/// Finds in the system's settings the reason why the kernel refuses namespaces. Returns the reason with the remedy.
pub(super) fn explain(error: &SetupError) -> Refused {
    let setting = |path: &str| fs::read_to_string(path).map(|text| text.trim().to_owned()).ok();
    let is = |path: &str, value: &str| setting(path).as_deref() == Some(value);
    let refused = |why: &str, remedy: &str| Refused { reason: format!("{why} ({error})"), remedy: remedy.to_owned() };
    if is("/proc/sys/user/max_user_namespaces", "0") {
        return refused(
            "user namespaces are switched off by user.max_user_namespaces",
            "as root, run sysctl -w user.max_user_namespaces=10000",
        );
    }
    if is("/proc/sys/kernel/unprivileged_userns_clone", "0") {
        return refused(
            "kernel.unprivileged_userns_clone denies user namespaces to ordinary users",
            "as root, run sysctl -w kernel.unprivileged_userns_clone=1",
        );
    }
    if is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        let remedy = match container::remedy(Part::Namespaces) {
            Some(remedy) => format!("{remedy}; on the host, as root, run sysctl -w {ALLOW_IN_APPARMOR}"),
            None => apparmor_remedy(init::name(), init::apparmor_profile()),
        };
        return refused("AppArmor denies user namespaces to ordinary users (Ubuntu 23.10 and later)", &remedy);
    }
    if dumpable_behavior().is_ok_and(|found| found != DumpableBehavior::Dumpable) {
        return refused(
            "the kernel protects this process, because its user may not read the program's own file",
            "make the file readable with chmod a+r, or install it with another umask",
        );
    }
    let user_map = if error.doing.contains("uid_map") { container::remedy(Part::UserMap) } else { None };
    let remedy = if let Some(remedy) = user_map {
        remedy
    } else if error.errno == libc::ENOSYS || error.errno == libc::EINVAL {
        "use Linux 5.12 or later, with user namespaces enabled".to_owned()
    } else {
        set_up_remedy()
    };
    refused("the kernel refuses namespaces", &remedy)
}

/// The setting that allows every program to make user namespaces.
const ALLOW_IN_APPARMOR: &str = "kernel.apparmor_restrict_unprivileged_userns=0";

/// Returns the remedy where AppArmor denies user namespaces to the program `name`. `command` prints a profile.
fn apparmor_remedy(name: &str, command: Option<&str>) -> String {
    let load = match command {
        Some(command) => {
            format!("run {command} | sudo tee /etc/apparmor.d/{name} && sudo apparmor_parser -r /etc/apparmor.d/{name}")
        }
        None => format!("as root, load an AppArmor profile for {name} that contains `userns,`"),
    };
    format!("{load}; or, for all programs, sysctl -w {ALLOW_IN_APPARMOR}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_apparmor_denies_namespaces_the_remedy_is_a_profile() {
        let remedy = apparmor_remedy("judge", Some("judge profile"));
        assert!(remedy.starts_with("run judge profile | sudo tee /etc/apparmor.d/judge && "), "{remedy}");
        assert!(apparmor_remedy("judge", None).contains("contains `userns,`; or, for all programs, sysctl"));
    }
}
