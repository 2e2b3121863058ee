//! From a specification in a string to a core that was certified: `cargo run --example explain`.

use respin::explain::answer::{Confirmation, Options};
use respin::load::{self, Format, Memory, SpecOptions};
use respin::source::Sources;

const LIGHTS: &str = "module Lights
    env boolean car;
    sys {RED, GREEN} light;
    gar safe: G (car -> light = RED);
    gar green: GF (light = GREEN);";

fn main() -> Result<(), load::Failure> {
    let mut sources = Sources::new();
    let file = sources.add("lights.spectra", LIGHTS);
    let how = SpecOptions::default();
    let spec = load::spec(&mut sources, file, Format::Spectra, &how, &Memory::new())?;
    let found = respin::explain::explain(&spec, &Options::default(), &mut |_| {})?;
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
