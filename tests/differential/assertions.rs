//! Immediate assertions about random designs: respin's verdict is that of Yosys and ABC.
//!
//! Assertions about what is drawn at random nearly always fail. So that many hold, and for
//! reasons that have to be found, some are about counters, shift registers and pairs of
//! registers that are written for them.

use super::batch;
use super::cases::cases;
use super::choices::Choices;
use super::expression::{Readable, condition, expression};
use super::judges::{are_proved, verdict};
use super::module::design_with;
use std::fmt::Write;
use std::path::Path;

const USUAL: u64 = 120;
const TOP: &str = "m";

/// Where an assertion stands.
fn stated(choices: &mut Choices, readable: &Readable, claim: &str) -> String {
    match choices.below(5) {
        0 | 1 => format!("  always @(posedge clk) assert ({claim});\n"),
        2 => {
            let guard = condition(choices, readable, 1);
            format!("  always @(posedge clk) if ({guard}) assert ({claim});\n")
        }
        3 => {
            let guard = condition(choices, readable, 1);
            format!(
                "  always @(posedge clk) begin if ({guard}) begin end else assert ({claim}); end\n"
            )
        }
        _ => format!("  always @* assert ({claim});\n"),
    }
}

/// Registers for an assertion, and the assertion.
fn asserted(choices: &mut Choices, readable: &Readable, number: usize) -> String {
    let name = format!("watch{number}");
    let guard = condition(choices, readable, 1);
    let (mut items, claim) = match choices.below(6) {
        0 => {
            // A counter that wraps, and a bound that fits or does not.
            let last = choices.between(1, 12);
            let bound = last + choices.below(3) - usize::from(choices.rarely(3));
            let items = format!(
                "  reg [3:0] {name} = 4'd0;\n  always @(posedge clk) if ({guard}) \
                 {name} <= ({name} == 4'd{last}) ? 4'd0 : {name} + 4'd1;\n"
            );
            (items, format!("{name} <= 4'd{bound}"))
        }
        1 => {
            // A ring, or a shift register that takes in what comes.
            let bit = match choices.rarely(3) {
                true => condition(choices, readable, 1),
                false => format!("{name}[3]"),
            };
            let items = format!(
                "  reg [3:0] {name} = 4'b0010;\n  always @(posedge clk) if ({guard}) \
                 {name} <= {{{name}[2:0], |({bit})}};\n"
            );
            (
                items,
                format!("{name} != 0 && ({name} & ({name} - 4'd1)) == 0"),
            )
        }
        2 => {
            // Two registers that take the same value, or nearly so.
            let value = expression(choices, readable, 2);
            let other = match choices.below(3) {
                0 => format!("~(~({value}))"),
                1 => value.clone(),
                _ => expression(choices, readable, 2),
            };
            let items = format!(
                "  reg [4:0] {name} = 5'd3, {name}_twin = 5'd3;\n  always @(posedge clk) begin \
                 if ({guard}) {name} <= {value};\n    if ({guard}) {name}_twin <= {other}; end\n"
            );
            (items, format!("{name} == {name}_twin"))
        }
        3 => {
            // A word that is held in the negative as well.
            let value = expression(choices, readable, 2);
            let items = format!(
                "  reg [3:0] {name} = 4'd0, {name}_not = 4'd15;\n  always @(posedge clk) begin \
                 {name} <= {value}; {name}_not <= ~({value}); end\n"
            );
            (items, format!("({name} ^ {name}_not) == 4'd15"))
        }
        4 => {
            // Some value of a register.
            let signal = choices.pick(&readable.signals).clone();
            let value = choices.below(1 << signal.width);
            let operator = *choices.pick(&["!=", "<=", ">="]);
            (String::new(), format!("{} {operator} {value}", signal.name))
        }
        _ => (String::new(), condition(choices, readable, 2)),
    };
    items += &stated(choices, readable, &claim);
    items
}

fn text(choices: &mut Choices) -> String {
    design_with(choices, TOP, |choices, readable| {
        let mut items = String::new();
        for number in 0..choices.between(1, 3) {
            items += &asserted(choices, readable, number);
        }
        (items, Vec::new())
    })
}

/// 0 if the assertions hold, 1 if one fails.
fn judge(choices: &mut Choices, folder: &Path) -> Result<usize, String> {
    let text = text(choices);
    let complaint = |error: String| format!("{text}\n{error}");
    let ours = verdict(&text, TOP).map_err(complaint)?.is_none();
    let theirs = are_proved(&[&text], TOP, folder).map_err(complaint)?[0];
    match ours == theirs {
        true => Ok(usize::from(!ours)),
        false => {
            let word = |holds| if holds { "PASS" } else { "FAIL" };
            let mut error = String::new();
            let _ = write!(error, "respin: {}, ABC: {}", word(ours), word(theirs));
            Err(complaint(error))
        }
    }
}

#[test]
fn verdicts_are_those_of_yosys_and_abc() {
    let cases = cases(USUAL);
    if let Some([holding, failing]) = batch::run("assertions", cases, judge) {
        println!("{cases} designs: {holding} hold, {failing} fail");
        let least = cases as usize / 6;
        assert!(holding >= least && failing >= least, "{holding}, {failing}");
    }
}
