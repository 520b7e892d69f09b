//! Detects whether the judge runs in a container, and names the flags of the container that enable the whole sandbox.
//! docs/containers.md explains the flags. The step `container` of .ci/long starts containers with the flags named here.

use std::ffi::OsString;
use std::path::Path;

/// The program that started the container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Docker,
    Podman,
    Kubernetes,
    /// A container of an unknown kind.
    Other,
}

/// A part of the sandbox that containers often forbid.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Making namespaces, and mounting folders in them.
    Namespaces,
    /// Making root the only user of a user namespace, which needs the capability CAP_SETFCAP.
    UserMap,
    /// Mounting /proc.
    Proc,
    /// Making control groups.
    Groups,
}

/// The version of the machine's control groups. With version 2, a container can get groups of its own.
#[derive(Clone, Copy, Debug)]
enum Groups {
    Version1,
    Version2,
}

/// Returns what enables `part` in the container in which the judge runs; `None` outside containers.
pub(super) fn remedy(part: Part) -> Option<String> {
    let groups =
        if Path::new("/sys/fs/cgroup/cgroup.controllers").exists() { Groups::Version2 } else { Groups::Version1 };
    engine(Path::new("/"), |name| std::env::var_os(name)).map(|engine| remedy_with(engine, part, groups).to_owned())
}

/// Returns the kind of the container whose root is `root`; `None` outside containers. Every engine leaves its own sign.
fn engine(root: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Option<Engine> {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let exists = |path: &str| root.join(path).exists();
    // Kubernetes comes first, because it starts containers with the help of other engines.
    if is_set("KUBERNETES_SERVICE_HOST") {
        Some(Engine::Kubernetes)
    } else if exists("run/.containerenv") {
        Some(Engine::Podman)
    } else if exists(".dockerenv") {
        Some(Engine::Docker)
    } else {
        is_set("container").then_some(Engine::Other)
    }
}

fn remedy_with(engine: Engine, part: Part, groups: Groups) -> &'static str {
    match (engine, part) {
        (Engine::Docker | Engine::Podman, Part::Namespaces) => {
            "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
        }
        (Engine::Docker | Engine::Podman, Part::UserMap) => "start the container with --cap-add SETFCAP",
        (Engine::Docker, Part::Proc) => "start the container with --security-opt systempaths=unconfined",
        (Engine::Podman, Part::Proc) => "start the container with --security-opt unmask=ALL",
        (Engine::Docker | Engine::Podman, Part::Groups) => match (engine, groups) {
            (Engine::Podman, Groups::Version2) => "start the container as root with --security-opt unmask=ALL",
            (_, Groups::Version2) => {
                "with Docker 28 or later, start the container as root with --security-opt writable-cgroups=true"
            }
            (_, Groups::Version1) => {
                "start the container as root with --cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup"
            }
        },
        (Engine::Kubernetes, Part::Namespaces) => {
            "set seccompProfile and appArmorProfile in the container's securityContext to type: Unconfined"
        }
        (Engine::Kubernetes, Part::UserMap) => "add SETFCAP to the capabilities in the container's securityContext",
        (Engine::Kubernetes, Part::Proc) => {
            "set procMount in the container's securityContext to Unmasked, and hostUsers of the pod to false"
        }
        (Engine::Kubernetes, Part::Groups) => {
            "let the container runtime mount /sys/fs/cgroup writable, such as with cgroup_writable of containerd"
        }
        (Engine::Other, Part::Namespaces) => "allow the container to make namespaces and to mount folders in them",
        (Engine::Other, Part::UserMap) => "give the container the capability CAP_SETFCAP",
        (Engine::Other, Part::Proc) => "use a container that does not mask parts of /proc",
        (Engine::Other, Part::Groups) => "make /sys/fs/cgroup in the container writable",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_known_by_its_sign() {
        let root = tempfile::tempdir().unwrap();
        let nothing = |_: &str| None;
        let only = |name: &'static str| move |asked: &str| (asked == name).then(|| OsString::from("10.0.0.1"));
        assert_eq!(engine(root.path(), nothing), None);
        assert_eq!(engine(root.path(), |_: &str| Some(OsString::new())), None);
        assert_eq!(engine(root.path(), only("container")), Some(Engine::Other));
        std::fs::write(root.path().join(".dockerenv"), "").unwrap();
        assert_eq!(engine(root.path(), only("container")), Some(Engine::Docker));
        std::fs::create_dir(root.path().join("run")).unwrap();
        std::fs::write(root.path().join("run/.containerenv"), "").unwrap();
        assert_eq!(engine(root.path(), nothing), Some(Engine::Podman));
        assert_eq!(engine(root.path(), only("KUBERNETES_SERVICE_HOST")), Some(Engine::Kubernetes));
    }

    #[test]
    fn every_remedy_fits_its_engine() {
        for part in [Part::Namespaces, Part::UserMap, Part::Proc, Part::Groups] {
            for groups in [Groups::Version1, Groups::Version2] {
                assert!(!remedy_with(Engine::Kubernetes, part, groups).contains("--"), "Kubernetes has no flags");
                for engine in [Engine::Docker, Engine::Podman] {
                    let remedy = remedy_with(engine, part, groups);
                    assert!(remedy.contains("start the container ") && remedy.contains(" --"), "{remedy}");
                }
            }
        }
    }

    #[test]
    fn only_version_1_needs_the_groups_of_the_whole_machine() {
        for engine in [Engine::Docker, Engine::Podman] {
            assert!(remedy_with(engine, Part::Groups, Groups::Version1).contains("/sys/fs/cgroup:/sys/fs/cgroup"));
            assert!(!remedy_with(engine, Part::Groups, Groups::Version2).contains("/sys/fs/cgroup"));
        }
    }
}
