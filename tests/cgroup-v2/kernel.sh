# Functions for scripts that boot Debian's kernel in qemu. The script sets these variables first:
#
#     machine    the architecture in the words of qemu, such as x86_64
#     debian     the same in the words of Debian, such as amd64
#     top        the absolute path of the repository
#     work       the folder for downloads, relative to the repository
#
# shellcheck shell=bash disable=SC2154

# Runs a command of apt for packages of the emulated machine's architecture. If that is not this machine's architecture,
# apt stores its package lists in $work, and the lists of the system do not change.
apt_for_machine() {
    local here=$top/$work/apt
    if [ "$debian" = "$(dpkg --print-architecture)" ]; then
        "$@"
        return
    fi
    local options=(-o APT::Architecture="$debian" -o APT::Architectures="$debian" -o Dir::State="$here"
        -o Dir::State::status=/dev/null -o Dir::Cache="$here")
    if [ ! -e "$here/is-updated" ]; then
        mkdir -p "$here/lists/partial" "$here/archives/partial"
        apt-get -qq update "${options[@]}" >&2
        touch "$here/is-updated"
    fi
    "$@" "${options[@]}"
}

# Downloads and unpacks the Debian package $1, and prints the path of its file $2, which may have wildcards.
unpacked() {
    local into=$work/$1
    # shellcheck disable=SC2086
    if ! ls $into/$2 >/dev/null 2>&1; then
        rm -rf "$into" && mkdir -p "$into"
        (cd "$into" && apt_for_machine apt-get -q download "$1" >/dev/null && dpkg-deb -x ./*.deb .) || {
            echo "cannot download the Debian package $1; try: apt-get update" >&2
            return 1
        }
    fi
    # shellcheck disable=SC2086
    ls $into/$2
}

kernel() {
    local package
    package=$(apt_for_machine apt-cache depends "linux-image-$debian" | awk '/Depends: linux-image/ {print $2; exit}')
    [ -n "$package" ] || { echo "apt knows no package linux-image-$debian; try: apt-get update" >&2; return 1; }
    unpacked "$package" 'boot/vmlinuz-*'
}
