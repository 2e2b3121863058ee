//! Random sequences and properties, on random runs, against the evaluator. Small ones come
//! first, and of the runs that disagree the shortest is shown.

use super::evaluator::{Property, Word, holds};
use super::player::{Bare, random_word};
use super::properties::{Draw, Named, property};
use respin::random::Random;

const PROPERTIES: u64 = 300;
const RUNS: usize = 60;

const CONDITIONS: [Named; 6] = [
    ("a", |values| values & 1 != 0),
    ("b", |values| values & 2 != 0),
    ("c", |values| values & 4 != 0),
    ("!a", |values| values & 1 == 0),
    ("(a || c)", |values| values & 5 != 0),
    ("1'b1", |_| true),
];

#[test]
fn random_properties_mean_what_the_standard_says() {
    let mut judged = 0;
    for seed in 1..=PROPERTIES {
        let mut draw = Draw {
            random: Random::new(seed),
            conditions: &CONDITIONS,
        };
        let depth = 1 + 3 * seed / (PROPERTIES + 1);
        let (mut text, mut property) = property(&mut draw, depth);
        let mut random = draw.random;
        if random.below(4) == 0 {
            text = format!("disable iff (d) {text}");
            property = Property::Disable(|values| values & 8 != 0, Box::new(property));
        }
        // What has no meaning here is refused, which others test.
        let Some(bare) = Bare::read("", &text) else {
            continue;
        };
        judged += 1;
        let everywhere = Property::Always(0, None, Box::new(property));
        let mut wrong: Option<(Word, bool)> = None;
        for _ in 0..RUNS {
            let word = random_word(&mut random);
            let expected = holds(&word, &everywhere, 0);
            let shorter = wrong
                .as_ref()
                .is_none_or(|(known, _)| word.letters.len() < known.letters.len());
            if bare.satisfies(&word) != expected && shorter {
                wrong = Some((word, expected));
            }
        }
        if let Some((word, expected)) = wrong {
            panic!(
                "seed {seed}: `{text}` should be {expected} on {:?}, loop from {}",
                word.letters, word.loop_start
            );
        }
    }
    assert!(judged * 2 > PROPERTIES, "only {judged} were not refused");
}
