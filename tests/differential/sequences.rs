//! Concurrent assertions about random designs: what respin proves is not contradicted by 10,000
//! random cycles in Icarus Verilog, and what it refutes fails there on the run that it shows.
//!
//! The evaluator of `tests/sva` judges the runs, so that neither the circuit nor the formula is
//! respin's. A run that ends is judged as if `Top` followed: what fails then fails however the
//! run goes on.

use super::batch;
use super::cases::cases;
use super::choices::Choices;
use super::evaluator::{Letter, Property, Word, holds};
use super::expression::{Readable, Signal, condition};
use super::icarus::{self, Drive, observe};
use super::judges::verdict;
use super::module::design_with;
use super::properties::{Draw, Named, property};
use respin::Run;
use respin::random::Random;
use std::collections::HashSet;
use std::path::Path;

const USUAL: u64 = 150;
const TOP: &str = "m";
const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const RUNS: usize = 100;
const STEPS: usize = 100;
/// Steps that are looked at from the start of an attempt on.
const WINDOW: usize = 9;

const HOLDS: usize = 0;
const FAILS: usize = 1;
const REFUSED: usize = 2;

/// Of the values of a letter the bits 4 and 5 are those of `a` and `b` in the step before, and
/// bit 6 is that of `a` another step before.
const CONDITIONS: [Named; 12] = [
    ("a", |values| values & 1 != 0),
    ("b", |values| values & 2 != 0),
    ("c", |values| values & 4 != 0),
    ("!a", |values| values & 1 == 0),
    ("(a || c)", |values| values & 5 != 0),
    ("(b && !c)", |values| values & 6 == 2),
    ("$past(a)", |values| values & 16 != 0),
    ("$past(a, 2)", |values| values & 64 != 0),
    ("$rose(a)", |values| values & 17 == 1),
    ("$fell(b)", |values| values & 34 == 32),
    ("$stable(b)", |values| values >> 1 & 1 == values >> 5 & 1),
    ("$changed(a)", |values| values & 1 != values >> 4 & 1),
];

struct Case {
    /// Without the assertion, for Icarus.
    design: String,
    text: String,
    assertion: String,
    property: Property,
    /// What `a` and `b` are before the first step.
    before: u8,
}

/// Registers `a` and `b`, whose values before the first step are known, and `c` and `d`, which
/// are any of the design. Some of them follow others, so that something holds.
fn signals(choices: &mut Choices, readable: &Readable) -> String {
    let any = |choices: &mut Choices| format!("|({})", condition(choices, readable, 1));
    let a = any(choices);
    let b = match choices.below(4) {
        0 => "a".to_string(),
        1 => "b | a".to_string(),
        2 => "!a".to_string(),
        _ => any(choices),
    };
    let c = match choices.below(4) {
        0 => "a & b".to_string(),
        1 => "a ^ b".to_string(),
        2 => "!b".to_string(),
        _ => any(choices),
    };
    let d = match choices.below(3) {
        0 => "rst".to_string(),
        1 => "a & !b".to_string(),
        _ => any(choices),
    };
    let (first, second) = (choices.below(2), choices.below(2));
    format!(
        "  reg a = 1'b{first}, b = 1'b{second};\n  always @(posedge clk) begin\n    a <= {a};\n    \
         b <= {b};\n  end\n  wire c = {c};\n  wire d = {d};\n"
    )
}

fn case(choices: &mut Choices) -> Case {
    let bit = |name: &&str| Signal {
        name: name.to_string(),
        width: 1,
        signed: false,
        right: 0,
        descending: true,
    };
    let mut items = String::new();
    let design = design_with(choices, TOP, |choices, readable| {
        items = signals(choices, readable);
        (items.clone(), NAMES.iter().map(bit).collect())
    });
    let mut draw = Draw {
        random: Random::new(choices.below(1 << 30) as u64),
        conditions: &CONDITIONS,
    };
    let depth = 1 + choices.below(3) as u64;
    let (mut assertion, mut property) = property(&mut draw, depth);
    // An antecedent of its own, so that more holds.
    if choices.flip() {
        let (text, condition) = *draw.random.pick(&CONDITIONS);
        let sequence = super::evaluator::Sequence::Is(condition);
        assertion = format!("{text} |-> ({assertion})");
        property = Property::Implication(sequence, Box::new(property));
    }
    if choices.rarely(3) {
        assertion = format!("disable iff (d) {assertion}");
        property = Property::Disable(|values| values & 8 != 0, Box::new(property));
    }
    let stated = format!("  checked: assert property (@(posedge clk) {assertion});\n");
    let text = design.replace(&items, &format!("{items}{stated}"));
    let initial = |text: &str| u8::from(items.contains(text));
    Case {
        design,
        text,
        assertion,
        property,
        before: initial("a = 1'b1") | initial("b = 1'b1") << 1,
    }
}

/// The letters of a run, with what was before.
fn letters(values: &[u8], before: u8) -> Vec<Letter> {
    let at = |step: usize, back: usize| match step.checked_sub(back) {
        Some(step) => values[step],
        None => before,
    };
    let letter = |step: usize| {
        let past = (at(step, 1) & 3) << 4 | (at(step, 2) & 1) << 6;
        Letter::Values(values[step] | past)
    };
    (0..values.len()).map(letter).collect()
}

/// A few letters, and `Top` for ever.
fn ending(letters: &[Letter]) -> Word {
    let mut letters = letters.to_vec();
    letters.push(Letter::Top);
    Word {
        loop_start: letters.len() - 1,
        letters,
    }
}

/// An attempt that fails in random runs, if there is one.
fn contradiction(case: &Case, folder: &Path) -> Result<Option<Vec<Letter>>, String> {
    let seed = 1 + case.text.len() as u64;
    let drive = Drive::Random {
        runs: RUNS,
        steps: STEPS,
        seed,
    };
    let mut judged = HashSet::new();
    for values in observe(&case.design, TOP, &NAMES, &drive, folder)? {
        let letters = letters(&values, case.before);
        for start in 0..letters.len() {
            let window = &letters[start..letters.len().min(start + WINDOW)];
            let key: Vec<String> = window.iter().map(|letter| format!("{letter:?}")).collect();
            if judged.insert(key) && !holds(&ending(window), &case.property, 0) {
                return Ok(Some(window.to_vec()));
            }
        }
    }
    Ok(None)
}

/// Whether the property fails on the run that respin shows, in Icarus.
fn is_shown(case: &Case, run: &Run, folder: &Path) -> Result<bool, String> {
    let ports = icarus::inputs(&case.design, TOP);
    let step = |step: usize| {
        // A word has its range behind the name.
        let is_named = |name: &str, port: &icarus::Port| name.split('[').next() == Some(&port.name);
        let find = |port: &icarus::Port| run.signals.iter().find(|one| is_named(&one.name, port));
        let digits = |port: &icarus::Port| match find(port) {
            Some(signal) => signal.digits(step).replace('x', "0"),
            None => "0".repeat(port.width),
        };
        ports.iter().map(digits).collect::<Vec<String>>()
    };
    let mut steps: Vec<usize> = (0..run.steps).collect();
    // Three more rounds: what is remembered of the steps before repeats as well.
    let round: Vec<usize> = run
        .loop_start
        .map_or(Vec::new(), |start| (start..run.steps).collect());
    for _ in 0..3 {
        steps.extend(&round);
    }
    let inputs: Vec<Vec<String>> = steps.into_iter().map(step).collect();
    let values = observe(&case.design, TOP, &NAMES, &Drive::Given(&inputs), folder)?;
    let letters = letters(&values[0], case.before);
    let everywhere = Property::Always(0, None, Box::new(case.property.clone()));
    if round.is_empty() {
        return Ok(!holds(&ending(&letters), &everywhere, 0));
    }
    let loop_start = letters.len() - round.len();
    if letters[loop_start..] != letters[loop_start - round.len()..loop_start] {
        return Err("the run does not repeat in Icarus".to_string());
    }
    let word = Word {
        letters,
        loop_start,
    };
    Ok(!holds(&word, &everywhere, 0))
}

fn judge(choices: &mut Choices, folder: &Path) -> Result<usize, String> {
    let case = case(choices);
    let complaint = |error: String| format!("{}\n{}\n{error}", case.text, case.assertion);
    let verdict = match verdict(&case.text, TOP) {
        // What has no meaning here is refused, which others test.
        Err(error) if error.contains("R02") => return Ok(REFUSED),
        verdict => verdict.map_err(complaint)?,
    };
    match verdict {
        None => match contradiction(&case, folder).map_err(complaint)? {
            None => Ok(HOLDS),
            Some(letters) => Err(complaint(format!(
                "respin: PASS, but it fails on {letters:?}"
            ))),
        },
        Some(run) => match is_shown(&case, &run, folder).map_err(complaint)? {
            true => Ok(FAILS),
            false => Err(complaint(format!("respin: FAIL, but not on {run:?}"))),
        },
    }
}

#[test]
fn sequences_are_not_contradicted_by_simulation() {
    let cases = cases(USUAL);
    let counts: Option<[usize; 3]> = batch::run("sequences", cases, judge);
    if let Some([holding, failing, refused]) = counts {
        println!("{cases} designs: {holding} hold, {failing} fail, {refused} are refused");
        let least = cases as usize / 8;
        assert!(holding >= least && failing >= least, "{holding}, {failing}");
        assert!(refused * 3 < cases as usize, "{refused} are refused");
    }
}
