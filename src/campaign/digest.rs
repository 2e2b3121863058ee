//! SHA-256 of contents, as sixty-four hexadecimal digits.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// A file, and what was in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileDigest {
    /// As the job names it, seen from where the job runs.
    pub path: String,
    /// Empty for a file that was looked for and could not be read.
    pub sha256: String,
}

impl FileDigest {
    /// A file that was looked for in vain: that it is there would be a change.
    pub fn missing(path: String) -> FileDigest {
        FileDigest {
            path,
            sha256: String::new(),
        }
    }

    pub fn is_missing(&self) -> bool {
        self.sha256.is_empty()
    }
}

pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of FIPS 180-2, appendix B.1, and the empty message.
    #[test]
    fn digests_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(sha256(b""), empty);
    }
}
