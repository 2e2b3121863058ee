//! The engines of `certify`, each one forced, on the same designs.

mod agreement;
#[path = "../verify/case.rs"]
mod case;
#[path = "../support/cases.rs"]
mod cases;
mod certificate;
#[path = "../verify/graph.rs"]
#[allow(dead_code)]
mod graph;
mod judges;
#[path = "../support/seed.rs"]
mod seed;
#[path = "../design/support.rs"]
#[allow(dead_code)]
mod support;
mod together;
#[path = "../verify/tree.rs"]
#[allow(dead_code)]
mod tree;
