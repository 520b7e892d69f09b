# Functions for scripts that install referee on a fresh Debian. They run at the root of the repository, as root.
#
# shellcheck shell=bash

# The release of Debian. The Containerfile uses the same.
debian_release=trixie

# Makes the folder $1, a fresh Debian with the packages that follow. A copy in target/fresh-root saves the download next
# time.
fresh_root() {
    local into=$1 include base=target/fresh-root/$debian_release
    shift
    printf -v include '%s,' "$@" ca-certificates
    base=$base-$(md5sum <<<"$include" | cut -c 1-8)
    if [ ! -e "$base/installed" ]; then
        echo "installing Debian in $base, which takes minutes"
        rm -rf "$base" && mkdir -p "$base"
        debootstrap --variant=minbase --include="${include%,}" "$debian_release" "$base/root" \
            http://deb.debian.org/debian >"$base/log" 2>&1 || { tail -n 20 "$base/log"; return 1; }
        rm -rf "$base"/root/var/cache/apt/archives/*.deb "$base"/root/var/lib/apt/lists/*
        touch "$base/installed"
    fi
    rm -rf "$into" && mkdir -p "$(dirname "$into")"
    cp -a "$base/root" "$into"
}

# Copies the files of the repository, as they are now, to the folder $1. Git ignores the other files.
copy_source() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read |
        tar --extract --directory="$1"
}

# Runs a command in the root $1, in namespaces of its own. The words before -- are mounts, FOLDER:PLACE.
in_root() {
    local root=$1 pair
    shift
    local -a mounts=()
    while [ "$1" != -- ]; do mounts+=("$1"); shift; done
    shift
    for pair in "${mounts[@]}"; do mkdir -p "$root${pair##*:}"; done
    # shellcheck disable=SC2016 # The inner shell expands it.
    unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
        root=$1
        shift
        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        while [ "$1" != -- ]; do mount --rbind "${1%%:*}" "$root${1##*:}"; shift; done
        shift
        cp /etc/resolv.conf "$root/etc/resolv.conf"
        exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin chroot "$root" "$@"
    ' in_root "$root" "${mounts[@]}" -- "$@"
}
