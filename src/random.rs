//! Random numbers that are the same on every machine: a seed is all it takes to repeat a run.

/// SplitMix64. Seeds that are close give sequences that have nothing in common.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    pub fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, which are not empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A hash that is the same with every toolchain: 64-bit FNV-1a.
pub fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    bytes.into_iter().fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

/// The same by words: for many of them, eight times as quick.
pub fn hash_words(words: &[u64]) -> u64 {
    words.iter().fold(hash([]), |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the test vectors of the function's authors.
    #[test]
    fn the_hash_is_fnv() {
        assert_eq!(hash([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(*b"foobar"), 0x8594_4171_f739_67e8);
    }

    /// The values that the authors' own program gives for this seed.
    #[test]
    fn it_is_splitmix64() {
        let mut random = Random::new(1_234_567);
        let words = [(); 3].map(|()| random.word());
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(words, expected);
    }
}
