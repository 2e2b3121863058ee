//! What verdicts mean where simulators, synthesis and the standard are easily confused: values
//! before the first step, latches, resets that come again, properties that say nothing.

mod front_end;
mod past;
mod polarity;
mod reset;
mod routines;
mod unknown;
mod vacuity;

use respin::certify::Verdict;
use respin::design::verilog::ResetPlay;
use respin::load::{DesignOptions, Purpose};
use respin::source::Diagnostic;
use respin::{design_from_texts, verify};

/// How the designs of a test are read.
pub fn verifying() -> DesignOptions {
    DesignOptions {
        purpose: Purpose::Verify,
        ..DesignOptions::default()
    }
}

pub fn with_reset(signal: &str) -> DesignOptions {
    DesignOptions {
        reset: Some(ResetPlay {
            signal: signal.to_string(),
            value: true,
            cycles: 1,
            again: false,
        }),
        ..verifying()
    }
}

/// The verdicts on a text as `name: holds` or `name: fails in step 3`, and all that is warned
/// about.
pub fn verdicts(text: &str, options: &DesignOptions) -> (Vec<String>, Vec<Diagnostic>) {
    let subject = design_from_texts(&[("test.sv", text)], &[], options).expect("a design");
    let checking = respin::verify::Options::default();
    let answer = verify(&subject, &checking, &mut |_| {}).expect("it can be checked");
    let lines = answer.checked.verdicts().iter().map(|(index, verdict)| {
        let name = &subject.spec.properties[*index].name;
        match verdict {
            Verdict::Holds => format!("{name}: holds"),
            Verdict::Fails(trace) => format!("{name}: fails in step {}", trace.len() - 1),
            Verdict::Unknown(error) => format!("{name}: {error}"),
        }
    });
    let mut warnings = subject.warnings.clone();
    warnings.extend(answer.warnings.clone());
    (lines.collect(), warnings)
}

pub fn check(text: &str, options: &DesignOptions, expected: &[&str]) {
    let (found, _) = verdicts(text, options);
    assert_eq!(found, expected, "{text}");
}

/// The code of what is wrong with a design, be it in reading or in checking.
pub fn error_of(text: &str, options: &DesignOptions) -> String {
    let subject = match design_from_texts(&[("test.sv", text)], &[], options) {
        Ok(subject) => subject,
        Err(failure) => return failure.to_string(),
    };
    let checking = respin::verify::Options::default();
    match verify(&subject, &checking, &mut |_| {}) {
        Ok(_) => "nothing is wrong".to_string(),
        Err(errors) => errors[0].to_string(),
    }
}
