//! A source of decisions for generators that remembers them, so that what fails can be made
//! smaller without knowing what the decisions meant: parts of the list are cut out or set to
//! zero, and the generator is run again. A generator must take 0 as its simplest decision.

use respin::random::Random;

pub struct Choices {
    made: Vec<usize>,
    position: usize,
    /// `None`: only what was given, and zeros behind it.
    random: Option<Random>,
}

impl Choices {
    pub fn random(seed: u64) -> Choices {
        Choices {
            made: Vec::new(),
            position: 0,
            random: Some(Random::new(seed)),
        }
    }

    pub fn replay(made: &[usize]) -> Choices {
        Choices {
            made: made.to_vec(),
            position: 0,
            random: None,
        }
    }

    pub fn made(&self) -> &[usize] {
        &self.made[..self.position.min(self.made.len())]
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        let value = match (&mut self.random, self.made.get(self.position)) {
            (Some(random), _) => {
                let value = random.below(bound);
                self.made.push(value);
                value
            }
            (None, Some(value)) => value % bound,
            (None, None) => 0,
        };
        self.position += 1;
        value
    }

    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True once in so many times.
    pub fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Makes a list of decisions smaller as long as `fails` holds, within a number of attempts.
pub fn shrink(
    mut made: Vec<usize>,
    attempts: usize,
    fails: impl Fn(&[usize]) -> bool,
) -> Vec<usize> {
    let mut left = attempts;
    let mut length = made.len() / 2;
    while length > 0 {
        let mut start = 0;
        let mut smaller = false;
        while start < made.len() && left > 0 {
            let end = (start + length).min(made.len());
            let mut cut = made.clone();
            cut.drain(start..end);
            let mut zeroed = made.clone();
            zeroed[start..end].fill(0);
            left -= 1;
            if fails(&cut) {
                made = cut;
                smaller = true;
            } else if zeroed != made && fails(&zeroed) {
                made = zeroed;
                smaller = true;
                start = end;
            } else {
                start = end;
            }
        }
        if left == 0 {
            break;
        }
        if !smaller || length > 1 {
            length /= 2;
        }
    }
    made
}
