# shellcheck shell=bash
# Settings of the scripts for Windows: they read this file after debian.sh, it does nothing by itself.

# shellcheck disable=SC2034 # The scripts that read this file use it.
windows_target=x86_64-win7-windows-gnu
windows_out=$PWD/target/windows
wine=/usr/lib/wine/wine64
wine_server=/usr/lib/wine/wineserver64

# Installs the compiler and the linker of Debian. Says so where that is not possible, and fails.
need_windows_compiler() {
    has_windows_compiler && return
    install rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64 || true
    has_windows_compiler && return
    echo 'not checked: gcc-mingw-w64-x86-64 or Rust of Debian (rustc-web, cargo-web, rust-web-src) cannot be installed' >&2
    return 1
}

has_windows_compiler() {
    [ -x /usr/bin/cargo ] && [ -d /usr/lib/rustlib/src/rust ] && command -v x86_64-w64-mingw32-gcc > /dev/null
}

# Installs Wine of Debian. Says so where that is not possible, and fails.
need_wine() {
    has_wine && return
    install wine64 || true
    has_wine && return
    echo 'not checked: wine64 of Debian cannot be installed' >&2
    return 1
}

has_wine() { [ -x $wine ] && [ -x $wine_server ]; }

# Makes a program of Windows a command of Linux, which Wine runs.
wine_command() { # PROGRAM.exe COMMAND
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' $wine "$1" > "$2"
    chmod +x "$2"
}

# Programs that follow use a Windows of their own in this folder. Wine sets it up when the first of them starts.
use_wine() { # FOLDER
    export WINEPREFIX=$1 WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' WINESERVER=$wine_server DISPLAY=
}

# Debian's compiler is a stable one, which builds its standard library only when it is told to.
cargo_for_windows() {
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_X86_64_WIN7_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
        CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
        /usr/bin/cargo "$@" -Z build-std=std,panic_abort --target-dir "$windows_out"
}
