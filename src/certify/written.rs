//! Controllers as text: read again from its first byte, and then model-checked. What is
//! certified is what users get.

use super::check::{Check, Judgement, judge};
use super::{Certified, Evidence, Options, Semantics, check};
use crate::bdd::Limits;
use crate::design::Design;
use crate::design::aiger::{self, AigerFile};
use crate::source::Diagnostic;
use crate::spec::Spec;

/// A controller with the circuit that its text says.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    pub bytes: Vec<u8>,
    pub design: Design,
}

/// An AIGER game with logic in place of the system's inputs: it has to keep the properties
/// that the file itself states.
pub fn game_controller(
    bytes: Vec<u8>,
    limits: &Limits,
) -> Result<Check<Controller>, Vec<Diagnostic>> {
    let file = aiger::read(&bytes, None).map_err(|error| vec![error])?;
    let spec = properties_of_game(&file)?;
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
    };
    let verdicts = check(&file.design, &spec, &options)?;
    let controller = Controller {
        bytes,
        design: file.design,
    };
    Ok(match judge(&spec, verdicts) {
        Judgement::Confirmed => {
            Check::Certified(Certified::new(controller, Evidence::ModelChecked))
        }
        Judgement::Fails(name) => Check::NotShown(name),
        Judgement::Unknown(error) => Check::Unknown(error),
    })
}

/// The properties of an AIGER game. Those without a symbol are named by their section and
/// their index in it.
pub fn properties_of_game(file: &AigerFile) -> Result<Spec, Vec<Diagnostic>> {
    let mut items = file.properties();
    let bad = if file.outputs_are_bad() {
        file.design.outputs().len()
    } else {
        file.bad.len()
    };
    let names = (0..bad).map(|index| format!("b{index}"));
    let names = names.chain((0..file.justice.len()).map(|index| format!("j{index}")));
    for (item, name) in items.iter_mut().zip(names) {
        item.name.get_or_insert(name);
    }
    let mut spec = Spec::new();
    spec.add_items(&items)?;
    Ok(spec)
}
