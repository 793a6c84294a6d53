//! The size of the memory, with one interface for systems that report it and those that do not.

use thiserror::Error;

pub use super::mebibytes_of_machine;

/// The reason why a table of this size is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{wanted} MiB are more than the {there_is} MiB of memory that this machine has")]
pub struct TooMuchMemory {
    wanted: u32,
    there_is: u64,
}

/// Refuses a table that is larger than the memory of this machine, in MiB (2^20 bytes). Where the system does not tell its
/// memory, every size is allowed.
///
/// # Errors
/// When the machine has less memory than that.
pub fn check(mebibytes: u32) -> Result<(), TooMuchMemory> {
    match mebibytes_of_machine() {
        Some(there_is) if there_is < mebibytes.into() => Err(TooMuchMemory { wanted: mebibytes, there_is }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_has_is_allowed_and_a_mebibyte_more_is_not() {
        assert_eq!(check(1), Ok(()));
        let Some(there_is) = mebibytes_of_machine() else { return assert_eq!(check(u32::MAX), Ok(())) };
        let most = u32::try_from(there_is).expect("a machine of this century");
        assert_eq!(check(most), Ok(()));
        let error = check(most + 1).expect_err("more than there is").to_string();
        assert!(error.contains(&(most + 1).to_string()) && error.contains(&format!("{most} MiB")), "{error}");
    }
}
