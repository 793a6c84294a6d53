# shellcheck shell=bash
# Functions for builds that are given away: their scripts read this file, it does nothing by itself.

# Prints compiler flags as CARGO_ENCODED_RUSTFLAGS has them: these, and those without which a program would contain the
# names of the folders where it is built.
same_bytes() { # FLAG...
    local flags=("--remap-path-prefix=$PWD=noughts" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo" "$@")
    local IFS=$'\x1f'
    echo "${flags[*]}"
}
