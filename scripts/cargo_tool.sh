# shellcheck shell=bash
# Programs for cargo that scripts need: they read this file, it does nothing by itself.

# Puts a program on the PATH: the one that is there, or this version of it, compiled into target/tools. Takes minutes the first
# time. Fails where it cannot be had.
cargo_tool() { # NAME VERSION [OPTION...]
    local name=$1 version=$2
    shift 2
    PATH=$PATH:${tools:=$PWD/target/tools}/bin
    command -v "$name" > /dev/null && return 0
    echo "$name $version is compiled into target/tools"
    cargo install --quiet --locked --root "$tools" --target-dir "$tools/build" "$name@$version" "$@" || return 1
    rm -rf "$tools/build"
}
