//! From a specification in a string to a core that was certified: `cargo run --example explain`.

use respin::explain::answer::{Confirmation, Options};
use respin::{SpecOptions, explain, load, spec_from_text};

const LIGHTS: &str = "module Lights
    env boolean car;
    sys {RED, GREEN} light;
    gar safe: G (car -> light = RED);
    gar green: GF (light = GREEN);";

fn main() -> Result<(), load::Failure> {
    let (spec, _) = spec_from_text("lights.spectra", LIGHTS, &SpecOptions::default())?;
    let found = explain(&spec, &Options::default(), &mut |_| {})?;
    if let Some(core) = found.core
        && let Confirmation::Certified(certified) = core.confirmation
    {
        println!(
            "nobody can keep {} together",
            certified.guarantees.join(" and ")
        );
        println!("checked: {:?}", certified.evidence());
    }
    Ok(())
}
