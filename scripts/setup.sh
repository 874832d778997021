#!/bin/sh
# Makes .venv with the program in it, and sees that the system has what the program draws with.
#
#     sh scripts/setup.sh run     for `make run`: OpenGL, and X11 where there is a display
#     sh scripts/setup.sh lint    for `make lint`: the tools of development
#     sh scripts/setup.sh docs    for `make docs`: these, OpenGL, and what builds the site
#     sh scripts/setup.sh test    for `make test`: both, a virtual screen with keys and a mouse, and a browser
#     sh scripts/setup.sh firefox for `make firefox`: all of this, and another browser
#     sh scripts/setup.sh juggling-lab for `make juggling-lab`: all of this, and Juggling Lab with what it runs on
#
# PYTHON in the environment names the interpreter to use. Takes a fraction of a second when nothing has changed.
set -eu

purpose=${1:?run, lint, docs, test, firefox or juggling-lab}
firefox=
juggling_lab=
[ "$purpose" != firefox ] || { purpose=test firefox=yes; }
[ "$purpose" != juggling-lab ] || { purpose=test juggling_lab=yes; }
root=$(cd "$(dirname "$0")/.." && pwd -P)
venv_python=$root/.venv/bin/python
modules=$root/.venv/node_modules
unset PYTHONHOME

main() {
    cd "$root"
    one_at_a_time
    if venv_works; then python=$venv_python; else python=$(find_python); fi
    packages=$(missing_packages)
    [ -z "$packages" ] || install_packages "$packages"
    venv_works || make_venv
    up_to_date || install_program
    [ "$purpose" != test ] || readers_are_there || install_readers
}

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Two set-ups at once would spoil each other's .venv. The lock is on the folder and ends with this script.
one_at_a_time() {
    command -v flock >/dev/null || return 0
    exec 9<"$root"
    flock 9
}

# False when there is none, when its Python was removed or replaced, and when the checkout has moved:
# installed commands then still name the old place.
venv_works() {
    grep -qsF "$root/.venv/bin/python" .venv/bin/pip || return 1
    version=$("$venv_python" -c 'import pip, sys; print(sys.version_info[:2])' 2>/dev/null) || return 1
    [ -z "${PYTHON:-}" ] || [ "$version" = "$("$PYTHON" -c 'import sys; print(sys.version_info[:2])')" ]
}

find_python() {
    for candidate in ${PYTHON:+"$PYTHON"} python3.13 python3.12 python3.11 python3; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
        [ -z "${PYTHON:-}" ] || fail "$PYTHON is not a Python of version 3.11 or newer."
    done
    fail "No Python of version 3.11 or newer found. Install one, or name it: make $purpose PYTHON=/path/to/python3"
}

# Prints the Debian packages that are wanted and not there.
missing_packages() {
    if [ "$python" != "$venv_python" ] && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        "$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
    fi
    [ "$purpose" = lint ] && return
    packages_of_missing libEGL.so.1 libegl1 libGL.so.1 libgl1
    if [ "$purpose" = test ] || [ -n "${DISPLAY:-}" ]; then
        packages_of_missing libX11.so.6 libx11-6 libXrender.so.1 libxrender1 libfontconfig.so.1 libfontconfig1
    fi
    if [ "$purpose" = test ]; then
        for command in Xvfb:xvfb xauth:xauth xdotool:xdotool ffmpeg:ffmpeg pdftoppm:poppler-utils rsvg-convert:librsvg2-bin webpmux:webp sqlite3:sqlite3 node:nodejs npm:npm; do
            command -v "${command%:*}" >/dev/null || printf '%s\n' "${command#*:}"
        done
        # Ubuntu has it as a snap only; without a browser the tests of web pages are left out.
        command -v chromium >/dev/null || grep -qs '^ID=ubuntu' /etc/os-release || printf 'chromium\n'
    fi
    if [ "$firefox" ]; then
        command -v firefox-esr >/dev/null || command -v firefox >/dev/null || printf 'firefox-esr\n'
    fi
    if [ "$juggling_lab" ]; then
        command -v java >/dev/null || printf 'default-jre-headless\n'
        [ -f /usr/share/jugglinglab/jugglinglab.jar ] || printf 'jugglinglab\n'
    fi
}

# Given pairs of a library and its package, prints the packages of those that cannot be loaded.
packages_of_missing() {
    "$python" - "$@" <<'END'
import ctypes
import sys

for library, package in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        ctypes.CDLL(library)
    except OSError:
        print(package)
END
}

# Installs them where that needs no password; otherwise prints the one command that does.
install_packages() {
    # Unquoted, so that the list of names falls apart into names.
    set -- $1
    command -v apt-get >/dev/null || fail "Some system packages are missing. On Debian and Ubuntu they are: $*"
    if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null; then sudo=sudo; else sudo=; fi
    by_hand="${sudo:+sudo }apt-get update && ${sudo:+sudo }apt-get install -y --no-install-recommends $*"
    if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
        fail "Some system packages are missing. Run this command$([ -n "$sudo" ] || echo ' as root'), then try again:

    $by_hand
"
    fi
    say "Installing system packages: $*"
    apt_get update || true
    apt_get install -y --no-install-recommends "$@" || fail "$apt_output

apt-get could not install them. The command was:

    $by_hand
"
}

apt_get() {
    apt_output=$($sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=5 -o DPkg::Lock::Timeout=300 \
        "$@" 2>&1 </dev/null 9<&-)
}

make_venv() {
    say "Making .venv with $("$python" --version)."
    rm -rf .venv
    "$python" -m venv .venv >&2 || fail "$python could not make a virtual environment (its words are above)."
}

extras() { case $purpose in run | docs) echo "$purpose" ;; *) echo dev ;; esac; }

# The stamp of docs serves dev too, and both serve run: each has all of the next.
up_to_date() {
    wanted=$(cksum <pyproject.toml)
    case $(extras) in run) stamps="docs dev run" ;; dev) stamps="docs dev" ;; *) stamps=docs ;; esac
    for stamp in $stamps; do
        [ "$wanted" != "$(cat ".venv/installed-$stamp" 2>/dev/null)" ] || return 0
    done
    return 1
}

# PyOpenGL-accelerate only makes drawing quicker, so it is taken as a ready wheel or not at all.
install_program() {
    say "Installing juggle-anim and what it needs into .venv. A first time takes a minute or two."
    rm -f .venv/installed-*
    case $(extras) in run) more= ;; dev) more=,dev ;; *) more=,dev,docs ;; esac
    pip_install --only-binary PyOpenGL-accelerate -e ".[accelerate,optimise,plots$more]" 2>/dev/null \
        || pip_install -e ".[optimise,plots$more]" \
        || fail "pip could not install the program (its words are above). Is the network there?"
    printf '%s\n' "$wanted" >".venv/installed-$(extras)"
}

readers_are_there() {
    for module in ajv gltf-validator three mp4box npyjs turbores; do
        [ -d "$modules/$module" ] || return 1
    done
}

# Khronos' own check of glTF files is there for Node only. Others read in ways of their own what FFmpeg and numpy write:
# three models, mp4box and turbores ProRes in QuickTime, npyjs arrays, ajv JIF by its schema.
install_readers() {
    say "Installing what reads exports in tests into .venv: gltf-validator, three, mp4box, turbores, npyjs and ajv."
    npm install --silent --no-fund --no-audit --no-save --prefix .venv \
        gltf-validator@2.0.0-dev.3.10 three@0.187.0 mp4box@2.4.1 turbores@1.2.2 npyjs@1.2.0 ajv@8.20.0 >&2 </dev/null \
        || fail "npm could not install them (its words are above). Is the network there?"
}

pip_install() {
    PIP_USER=0 PIP_RETRIES=6 "$venv_python" -m pip install -q --disable-pip-version-check --no-input "$@" >&2 </dev/null
}

main
