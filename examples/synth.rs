//! From a specification in a string to a certified controller in Verilog:
//! `cargo run --example synth`.

use respin::synth::written::{Answer, Options};
use respin::{SpecOptions, load, spec_from_text, synth};

const ARBITER: &str = "module Arbiter
    env boolean first; env boolean second;
    sys {NOBODY, FIRST, SECOND} owner;
    gar asked: G ((owner = FIRST -> first) & (owner = SECOND -> second));
    gar serve_first: GF (first -> owner = FIRST);
    gar serve_second: GF (second -> owner = SECOND);";

fn main() -> Result<(), load::Failure> {
    let (spec, _) = spec_from_text("arbiter.spectra", ARBITER, &SpecOptions::default())?;
    match synth(&spec, &Options::default(), &mut |_| {})? {
        Answer::Realizable(made) => {
            print!("{}", String::from_utf8_lossy(&made.controller.text.bytes));
            println!("// checked: {:?}", made.controller.evidence());
        }
        Answer::Unrealizable(_) => println!("no controller can do that"),
        Answer::Unknown(unknown) => println!("not known: {}", unknown.reason),
    }
    Ok(())
}
