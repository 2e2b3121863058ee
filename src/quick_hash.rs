//! Maps and sets with a quick hash, for keys that are numbers or addresses of our own making.
//!
//! Names out of files go into the maps of the standard library: who writes a file could choose
//! names that all fall into one place.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;
pub type QuickSet<K> = HashSet<K, BuildHasherDefault<QuickHasher>>;

#[derive(Default)]
pub struct QuickHasher(u64);

impl QuickHasher {
    fn mix(&mut self, value: u64) {
        self.0 = (self.0 ^ value)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(26);
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(byte as u64);
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
