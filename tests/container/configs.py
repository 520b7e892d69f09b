"""Writes configurations of runc that are like those which podman and Docker make on a machine with control groups of
version 2. Reads the output of `runc spec` from standard input. Arguments: the seccomp profile, and the folder to write
to. Each file is named after the container's view of control groups:

    forbidden   no flags: read-only control groups, and masked parts of /proc
    own         the least privileges of docs/containers.md: writable control groups of the container alone
    machine     the same with the control groups of the whole machine
"""

import copy
import json
import sys

CAPABILITIES = "CHOWN DAC_OVERRIDE FOWNER FSETID KILL NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split()


def config(base, view, profile):
    """Returns the configuration with this view of control groups."""
    is_free = view != "forbidden"
    made = copy.deepcopy(base)
    process, linux = made["process"], made["linux"]
    capabilities = ["CAP_" + name for name in (["SETFCAP"] if is_free else CAPABILITIES)]
    process["capabilities"] = dict.fromkeys(("bounding", "effective", "permitted"), capabilities)
    process.update(terminal=False, noNewPrivileges=True, rlimits=[], args=["referee", "doctor"])
    process["env"] = ["PATH=/bin", "HOME=/tmp"]
    made["root"]["readonly"] = False
    if is_free:
        del linux["maskedPaths"], linux["readonlyPaths"]
        linux["seccomp"] = profile
    kinds = [one for one in linux["namespaces"] if one["type"] != "cgroup"]
    linux["namespaces"] = kinds + ([] if view == "machine" else [{"type": "cgroup"}])
    linux["cgroupsPath"] = "/containers/" + view
    place = "/sys/fs/cgroup"
    groups = {"destination": place, "type": "cgroup", "source": "cgroup", "options": ["rw" if is_free else "ro"]}
    if view == "machine":
        groups.update(type="bind", source=place, options=["rbind", "rw"])
    temporary = {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["mode=1777"]}
    made["mounts"] = [mount for mount in made["mounts"] if mount["destination"] != place] + [groups, temporary]
    return made


def main():
    base = json.load(sys.stdin)
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    for rule in profile["syscalls"]:
        rule.pop("comment", None)
    for view in ("forbidden", "own", "machine"):
        with open(f"{sys.argv[2]}/{view}.json", "w", encoding="utf-8") as file:
            json.dump(config(base, view, profile), file)


main()
