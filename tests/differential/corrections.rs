//! Designs with one fault beside their golden models: ABC proves every text that repair gives,
//! as read by Yosys, and the golden model is neither edited nor read.

use super::batch;
use super::cases::cases;
use super::choices::Choices;
use super::fault::{Faulty, faulty};
use super::judges::{are_proved, subject};
use super::within::within;
use respin::load::Purpose;
use respin::repair::{Options, Outcome};
use std::collections::BTreeSet;
use std::path::Path;

const USUAL: u64 = 8;
/// Of one repair, unless `RESPIN_SECONDS` says otherwise, as on a busy machine; what is not found
/// by then does not matter here.
const SECONDS: u64 = 8;
/// Texts of one design that are judged: a correction may have many with the same effect.
const MOST_JUDGED: usize = 40;

const PASSES: usize = 0;
const REPAIRED: usize = 1;
const NOT_REPAIRED: usize = 2;

fn seconds() -> u64 {
    match std::env::var("RESPIN_SECONDS") {
        Ok(number) => number.parse().expect("RESPIN_SECONDS is a number"),
        Err(_) => SECONDS,
    }
}

fn judge(choices: &mut Choices, folder: &Path) -> Result<usize, String> {
    let Some(Faulty { text, rest, fault }) = faulty(choices) else {
        return Ok(PASSES);
    };
    let complaint = |error: String| format!("{text}\n{fault}\n{error}");
    let subject = subject(&text, "bench", Purpose::Repair).map_err(complaint)?;
    let options = Options {
        limits: within(seconds()),
        ..Options::default()
    };
    let answer = match respin::repair(&subject, &options, &mut |_| {}) {
        Ok(answer) => answer,
        Err(error) => return Err(complaint(format!("respin: {error}"))),
    };
    match &answer.outcome {
        Outcome::NothingToRepair(_) => {
            return match are_proved(&[&text], "bench", folder).map_err(complaint)?[0] {
                true => Ok(PASSES),
                false => Err(complaint("respin: PASS, ABC: FAIL".to_string())),
            };
        }
        // The fault can be undone, so there is a repair.
        Outcome::NoRepair { .. } => return Err(complaint("respin: NO REPAIR".to_string())),
        _ => {}
    }
    let mut texts = BTreeSet::new();
    for correction in &answer.corrections {
        let all = std::iter::once(&correction.patch).chain(&correction.also);
        for patch in all {
            texts.extend(patch.texts().into_values());
        }
    }
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    texts.truncate(MOST_JUDGED);
    for text in &texts {
        match text.strip_suffix(rest.as_str()) {
            None => return Err(complaint(format!("the model or bench is edited:\n{text}"))),
            Some(design) if design.contains("golden") || design.contains("model") => {
                return Err(complaint(format!("the golden model is read:\n{text}")));
            }
            Some(_) => {}
        }
    }
    let proved = are_proved(&texts, "bench", folder).map_err(complaint)?;
    match texts.iter().zip(proved).find(|(_, proved)| !proved) {
        Some((text, _)) => Err(complaint(format!("ABC refutes\n{text}"))),
        None if texts.is_empty() => Ok(NOT_REPAIRED),
        None => Ok(REPAIRED),
    }
}

#[test]
fn corrections_are_proved_by_abc() {
    let cases = cases(USUAL);
    let counts: Option<[usize; 3]> = batch::run("corrections", cases, judge);
    if let Some([passing, repaired, open]) = counts {
        println!("{cases} designs: {passing} without a fault, {repaired} repaired, {open} not");
        assert!(repaired >= cases as usize / 4, "{repaired} repaired");
    }
}
