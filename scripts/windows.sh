# What the scripts for Windows share: they read this file after debian.sh, it does nothing by itself.

windows_target=x86_64-win7-windows-gnu
windows_out=$PWD/target/windows

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

# Debian's compiler is a stable one, which builds its standard library only when it is told to.
cargo_for_windows() {
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_X86_64_WIN7_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
        CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
        /usr/bin/cargo "$@" -Z build-std=std,panic_abort --target-dir "$windows_out"
}
