# Functions for the scripts of this folder and tests/container/run. They make root file systems in target/install, and
# run commands in them. The scripts run as root, in the root folder of the repository.
# shellcheck shell=bash

roots=$PWD/target/install
mkdir -p "$roots"

# Prints a message with the script's name.
say() { echo "$(basename "$0"): $*"; }

# Prints the command of the README's table of ways to install in the line that begins with $1.
readme_command() {
    local command
    # shellcheck disable=SC2016 # The backquotes are Markdown's.
    command=$(sed -n 's/^| '"$1"'[^|]*| `\([^`]*\)`.*$/\1/p' README.md)
    [ -n "$command" ] || { echo "README.md: found no command in the line of $1" >&2; return 1; }
    printf '%s\n' "$command"
}

# Makes a new root file system of the Debian release $1 at $2, with the packages $3... and an ordinary user `judge`. The
# base with these packages is stored for later runs.
debian_root() {
    local suite=$1 root=$2 include base
    shift 2
    printf -v include '%s,' ca-certificates "$@"
    base=$roots/$suite-$(md5sum <<<"$include" | cut -c 1-8).base
    if [ ! -e "$base.finished" ]; then
        say "installing the base of Debian $suite in $base"
        rm -rf "$base"
        debootstrap --variant=minbase --include="${include%,}" "$suite" "$base" http://deb.debian.org/debian \
            >"$base.log" 2>&1 || { tail -n 20 "$base.log"; return 1; }
        rm -rf "$base"/var/cache/apt/archives/*.deb "$base"/var/lib/apt/lists/*
        touch "$base.finished"
    fi
    rm -rf "$root"
    cp -a "$base" "$root"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    in_root "$root" useradd --create-home judge
}

# Makes a new root file system at $1 like Alpine's: busybox and the C library musl, and no other C library.
musl_root() {
    local root=$1 loader=/lib/ld-musl-x86_64.so.1
    rm -rf "$root"
    mkdir -p "$root"/{bin,dev,etc,home/judge,lib,proc,root,sys,tmp,usr/bin}
    chmod 1777 "$root/tmp"
    cp /bin/busybox "$root/bin/busybox"
    chroot "$root" /bin/busybox --install -s /bin
    cp -L "$loader" "$root$loader"
    printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' 'judge:x:1000:1000::/home/judge:/bin/sh' >"$root/etc/passwd"
    printf '%s\n' 'root:x:0:' 'judge:x:1000:' >"$root/etc/group"
    chown 1000:1000 "$root/home/judge"
}

# Copies the files of the repository, as they are now, to the folder $1. Git ignores the other files.
copy_source() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read |
        tar --extract --directory="$1"
}

# Folders of this machine that `in_root` mounts, each FOLDER:PATH.
mounts=()

# Runs the command $2... as root in the root file system $1, in new namespaces for mounts and processes. The kernel
# allows user namespaces there, which it does not after a plain chroot.
in_root() {
    local root=$1 pair
    shift
    for pair in "${mounts[@]}"; do mkdir -p "$root${pair#*:}"; done
    # shellcheck disable=SC2016 # The inner shell expands it.
    unshare --mount --pid --fork --kill-child sh -euc '
        root=$1
        shift
        mount --make-rprivate /
        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        # Otherwise a package could load AppArmor profiles into the kernel of the machine.
        umount -l "$root/sys/kernel/security" 2>/dev/null || true
        mount --rbind /dev "$root/dev"
        while [ "$1" != -- ]; do
            mount --rbind "${1%%:*}" "$root${1#*:}"
            shift
        done
        shift
        cd "$root"
        mkdir -p .outside
        pivot_root . .outside
        exec .outside/bin/busybox env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin HOME=/root \
            DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 /bin/sh -euc "umount -l /.outside; rmdir /.outside; exec \"\$@\"" sh "$@"
    ' sh "$root" "${mounts[@]}" -- "$@"
}

# Runs the command line $2 as the ordinary user `judge` in the root file system $1.
as_user() { in_root "$1" su judge -s /bin/sh -c "cd; $2"; }

# Installs the packages $2... in the Debian root file system $1.
apt_install() {
    local root=$1
    shift
    in_root "$root" apt-get -qq update
    in_root "$root" apt-get -qqy --no-install-recommends install "$@" >"$root.apt.log" 2>&1 ||
        { tail -n 20 "$root.apt.log"; return 1; }
}

# Grades the flip game with the command $3 in the root file system $2, which is described by $1. The arguments after
# that are programs; without them, the package's own submissions are graded. Fails unless some program was judged and
# every verdict is as expected. Prints what `doctor` says, and how long grading took.
grades_flipgame() {
    local about=$1 root=$2 command=$3 log=$2.grade.log start=$EPOCHREALTIME
    shift 3
    as_user "$root" "$command grade flipgame $*" >"$log" 2>&1 || { cat "$log"; say "$about: grade failed"; return 1; }
    local seconds judged as_judge as_root
    seconds=$(elapsed "$start")
    # Such as "all as expected: 2 submissions judged, ..." or "...: 22 submissions found, 19 judged,", where a line may
    # end.
    judged=$(sed -n 's/.*[:,] \([1-9][0-9]*\) \(submissions\{0,1\} \)\{0,1\}judged,.*/\1/p' "$log")
    [ -n "$judged" ] || { cat "$log"; say "$about: no program was judged"; return 1; }
    as_judge=$(as_user "$root" "$command doctor" | summary)
    as_root=$(in_root "$root" "$command" doctor | summary)
    say "$about: doctor as a user: $as_judge"
    say "$about: doctor as root: $as_root"
    say "$about: graded in $seconds s: $(grep 'judged,' "$log")"
}

# Reads what `doctor` prints. Prints the line about the sandbox, and the mechanisms that are not enforced.
summary() {
    awk '/^sandbox/ { line = $0 } /^[a-z]/ { part = $1 }
        part == "mechanisms" && /^  [a-z_]+ / && $2 != "enforced" { line = line "; " $1 ": " ($2 == "not" ? "not enforced" : $2) }
        END { print line }'
}

# Prints the seconds since $1, a value of EPOCHREALTIME.
elapsed() { awk -v start="$1" -v end="$EPOCHREALTIME" 'BEGIN { printf "%.1f", end - start }'; }

# Prints the size of the file $1 in MB.
megabytes() { awk -v bytes="$(stat -c %s "$1")" 'BEGIN { printf "%.1f MB", bytes / 1e6 }'; }
