//! The product game with a nondeterministic automaton: what it wins is so.

mod differential;
mod examples;
#[path = "../verify/graph.rs"]
#[allow(dead_code)]
mod graph;
#[path = "../design/support.rs"]
#[allow(dead_code)]
mod support;
#[path = "../verify/tree.rs"]
#[allow(dead_code)]
mod tree;

use respin::bdd::Limits;
use respin::game::{Arena, Game, Winner};
use respin::source::Sources;
use respin::spec::Spec;

fn properties(text: &str) -> Spec {
    let mut sources = Sources::new();
    let file = sources.add("properties.ltl", text);
    let mut spec = Spec::new();
    if let Err(errors) = spec.add_property_file(file, text) {
        panic!("{text}: {errors:?}");
    }
    spec
}

fn is_won(arena: &Arena) -> bool {
    let game = Game::new(arena, Limits::default()).expect("no limits");
    game.solve().expect("no limits").winner() == Winner::System
}
