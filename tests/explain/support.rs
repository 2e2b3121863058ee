//! Specifications by name, and sets of constraints as words.

use respin::bdd::Limits;
use respin::explain::{Element, Oracle, Subset};
use respin::game::gr1::Gr1Game;
use respin::source::Sources;
use respin::spec::gr1::{ConstraintId, Gr1};
use respin::spec::spectra;
use std::path::Path;

/// A specification of the folder `specs`.
pub fn example(name: &str) -> Gr1 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("specs")
        .join(name);
    let text = std::fs::read_to_string(&path).expect("an example is there");
    read(name, &text)
}

pub fn read(name: &str, text: &str) -> Gr1 {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    spectra::parse(&sources, file).expect("a specification without mistakes")
}

pub fn game(spec: &Gr1) -> Gr1Game {
    Gr1Game::new(spec, Limits::default()).expect("no limits")
}

pub fn name(spec: &Gr1, element: Element) -> String {
    match element {
        Element::Guarantee(id) | Element::Lack(id) => spec.constraint(id).name.clone(),
        Element::Output(id) => spec.variable(id).name.clone(),
    }
}

/// The names of a set, in its order.
pub fn names(oracle: &Oracle, set: &Subset) -> String {
    let elements = oracle.elements_of(set).into_iter();
    let names: Vec<String> = elements.map(|one| name(oracle.spec(), one)).collect();
    names.join(" ")
}

pub fn constraint_names(spec: &Gr1, ids: &[ConstraintId]) -> String {
    let names = ids.iter().map(|id| spec.constraint(*id).name.clone());
    names.collect::<Vec<_>>().join(" ")
}
