//! Triggers against a direct evaluation of their regular expressions.

use crate::runs::{Judge, Run, parse, random, shrink};
use respin::random::Random;
use std::fmt;

/// Steps behind the start of a match in which its end is looked for: more than there are
/// states in the automata of such small expressions, times the longest cycle.
const WINDOW: usize = 60;

const CONDITIONS: [&str; 6] = ["a", "!a", "b", "a & !c", "b -> c", "true"];

#[derive(Clone, Debug)]
enum Tree {
    Empty,
    Condition(usize),
    Sequence(Box<Tree>, Box<Tree>),
    Either(Box<Tree>, Box<Tree>),
    Both(Box<Tree>, Box<Tree>),
    Complement(Box<Tree>),
    Repeat(Box<Tree>, usize, Option<usize>),
}

impl fmt::Display for Tree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Empty => write!(out, "()"),
            Tree::Condition(5) => write!(out, "true"),
            Tree::Condition(number) => write!(out, "[{}]", CONDITIONS[*number]),
            Tree::Sequence(left, right) => write!(out, "({left} {right})"),
            Tree::Either(left, right) => write!(out, "({left} | {right})"),
            Tree::Both(left, right) => write!(out, "({left} & {right})"),
            Tree::Complement(body) => write!(out, "(~{body})"),
            Tree::Repeat(body, 0, None) => write!(out, "({body}*)"),
            Tree::Repeat(body, 1, None) => write!(out, "({body}+)"),
            Tree::Repeat(body, 0, Some(1)) => write!(out, "({body}?)"),
            Tree::Repeat(body, least, None) => write!(out, "({body}{{{least},}})"),
            Tree::Repeat(body, least, Some(most)) if least == most => {
                write!(out, "({body}{{{least}}})")
            }
            Tree::Repeat(body, least, Some(most)) => write!(out, "({body}{{{least},{most}}})"),
        }
    }
}

impl Tree {
    fn random(random: &mut Random, depth: usize) -> Tree {
        if depth == 0 || random.chance(20) {
            return match random.below(12) {
                0 => Tree::Empty,
                _ => Tree::Condition(random.below(CONDITIONS.len())),
            };
        }
        let part = |random: &mut Random| Box::new(Tree::random(random, depth - 1));
        let left = part(random);
        match random.below(10) {
            0..=3 => Tree::Sequence(left, part(random)),
            4 | 5 => Tree::Either(left, part(random)),
            6 => Tree::Both(left, part(random)),
            7 => Tree::Complement(left),
            _ => {
                let least = random.below(3);
                let most = random.chance(50).then(|| least + random.below(2));
                Tree::Repeat(left, least, most)
            }
        }
    }

    /// Which of the steps from `start` on may be the first behind a match, by the definition.
    fn ends(&self, run: &Run, start: usize, last: usize) -> Vec<bool> {
        let none = vec![false; last + 1];
        let mut found = none.clone();
        match self {
            Tree::Empty => found[start] = true,
            Tree::Condition(number) => {
                let step = run.at(start);
                let (a, b, c) = (step[0] != 0, step[1] != 0, step[2] != 0);
                let values = [a, !a, b, a && !c, !b || c, true];
                if start < last {
                    found[start + 1] = values[*number];
                }
            }
            Tree::Sequence(left, right) => {
                for middle in ones(&left.ends(run, start, last)) {
                    join(&mut found, &right.ends(run, middle, last));
                }
            }
            Tree::Either(left, right) => {
                found = left.ends(run, start, last);
                join(&mut found, &right.ends(run, start, last));
            }
            Tree::Both(left, right) => {
                let (left, right) = (left.ends(run, start, last), right.ends(run, start, last));
                found = left
                    .iter()
                    .zip(&right)
                    .map(|(one, other)| *one && *other)
                    .collect();
            }
            Tree::Complement(body) => {
                let body = body.ends(run, start, last);
                for end in start..=last {
                    found[end] = !body[end];
                }
            }
            Tree::Repeat(body, least, most) => {
                // What can be matched by each number of repetitions, until nothing new comes.
                let mut now = none.clone();
                now[start] = true;
                let mut count = 0;
                loop {
                    if count >= *least {
                        let before = found.clone();
                        join(&mut found, &now);
                        if *most == Some(count) || (found == before && count > *least) {
                            break;
                        }
                    }
                    let mut next = none.clone();
                    for middle in ones(&now) {
                        join(&mut next, &body.ends(run, middle, last));
                    }
                    now = next;
                    count += 1;
                }
            }
        }
        found
    }

    /// The first step behind the shortest match from `start` on.
    fn shortest(&self, run: &Run, start: usize) -> Option<usize> {
        ones(&self.ends(run, start, start + WINDOW))
            .into_iter()
            .next()
    }
}

fn ones(ends: &[bool]) -> Vec<usize> {
    (0..ends.len()).filter(|end| ends[*end]).collect()
}

fn join(into: &mut [bool], other: &[bool]) {
    for (one, other) in into.iter_mut().zip(other) {
        *one |= *other;
    }
}

/// The rounds of a trigger, as they are defined.
fn expected(run: &Run, initiator: &Tree, effect: &Tree) -> bool {
    if effect.shortest(run, 0) == Some(0) {
        return true;
    }
    let mut starts = Vec::new();
    let mut start = 0;
    loop {
        if starts.contains(&start) {
            return true;
        }
        starts.push(start);
        let Some(middle) = initiator.shortest(run, start) else {
            return true;
        };
        let Some(end) = effect.shortest(run, middle) else {
            return false;
        };
        start = match end < run.length() {
            true => end,
            false => run.prefix.len() + (end - run.prefix.len()) % run.cycle.len(),
        };
    }
}

/// Compares on random runs; how many of them kept the requirement, and how many did not.
fn compare(
    random: &mut Random,
    requirement: &str,
    runs: usize,
    expected: &dyn Fn(&Run) -> bool,
) -> [usize; 2] {
    let text = format!("env boolean a; env boolean b; env boolean c; {requirement}");
    let spec = parse(&text);
    let mut judge = Judge::new(&spec);
    let domains = judge.domains();
    let mut verdicts = [0, 0];
    for _ in 0..runs {
        let run = Run::random(random, &domains);
        let wanted = expected(&run);
        verdicts[usize::from(wanted)] += 1;
        if judge.keeps(&run) != wanted {
            let run = shrink(run, &mut |run| judge.keeps(run) != expected(run));
            panic!(
                "{requirement} should be {} on a, b, c = {run}",
                expected(&run)
            );
        }
    }
    verdicts
}

#[test]
fn random_triggers_mean_their_rounds() {
    let mut random = random();
    let mut verdicts = [0, 0];
    for _ in 0..300 {
        let initiator = Tree::random(&mut random, 3);
        let effect = Tree::random(&mut random, 3);
        let side = ["asm", "gar"][random.below(2)];
        let requirement = format!("{side} trig {initiator} |=> {effect};");
        let counts = compare(&mut random, &requirement, 15, &|run| {
            expected(run, &initiator, &effect)
        });
        verdicts[0] += counts[0];
        verdicts[1] += counts[1];
    }
    assert!(verdicts.iter().all(|count| *count > 400), "{verdicts:?}");
}

#[test]
fn regexps_as_requirements_are_triggers() {
    let mut random = random();
    let mut verdicts = [0, 0];
    for _ in 0..100 {
        let effect = Tree::random(&mut random, 3);
        let sometime = Tree::Sequence(
            Box::new(Tree::Repeat(Box::new(Tree::Condition(5)), 0, None)),
            Box::new(effect.clone()),
        );
        for (keyword, meant) in [("G", &effect), ("alw", &effect), ("GF", &sometime)] {
            let requirement = format!("gar {keyword} regexp({effect});");
            let counts = compare(&mut random, &requirement, 10, &|run| {
                expected(run, &Tree::Empty, meant)
            });
            verdicts[0] += counts[0];
            verdicts[1] += counts[1];
        }
    }
    assert!(verdicts.iter().all(|count| *count > 250), "{verdicts:?}");
}

#[test]
fn operators_bind_from_the_left() {
    let condition = |number| Box::new(Tree::Condition(number));
    // `[a] | [b] [a & !c]` is `([a] | [b]) [a & !c]`, and `~` comes before `*`.
    let either = Box::new(Tree::Either(condition(0), condition(2)));
    let effect = Tree::Sequence(either, condition(3));
    let never_a = Tree::Repeat(Box::new(Tree::Complement(condition(0))), 0, None);
    let requirement = "regexp good := [a] | [b] [a & !c]; other := ~[a]*;
        gar trig other [b] |=> good;";
    let initiator = Tree::Sequence(Box::new(never_a), condition(2));
    let verdicts = compare(&mut random(), requirement, 500, &|run| {
        expected(run, &initiator, &effect)
    });
    assert!(verdicts.iter().all(|count| *count > 3), "{verdicts:?}");
}

#[test]
fn repetitions_may_be_definitions() {
    let requirement = "define few := 2; many := few + 1;
        gar trig [a]{few} |=> true{0,many} [b];";
    let condition = |number| Box::new(Tree::Condition(number));
    let initiator = Tree::Repeat(condition(0), 2, Some(2));
    let between = Box::new(Tree::Repeat(condition(5), 0, Some(3)));
    let effect = Tree::Sequence(between, condition(2));
    let verdicts = compare(&mut random(), requirement, 500, &|run| {
        expected(run, &initiator, &effect)
    });
    assert!(verdicts.iter().all(|count| *count > 3), "{verdicts:?}");
}
