#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| noughts_fuzz::solutions::law(data));

#[cfg(not(fuzzing))]
fn main() {
    eprintln!("built by scripts/fuzz");
}
