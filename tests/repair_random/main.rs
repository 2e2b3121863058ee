//! Random circuits with one broken gate: every one of them has a repair, so every one has
//! to be repaired, and what is offered is proved by a checker that is not ours.

mod circuit;
mod corpus;
mod engine;
mod explicit;
mod fault;
mod invariants;
mod liveness;
mod no_repair;
mod prove;
#[path = "../support/seed.rs"]
mod seed;
#[path = "../support/subject.rs"]
mod subject;
#[path = "../design/support.rs"]
#[allow(dead_code)]
mod support;
mod tiny;
#[path = "../support/within.rs"]
mod within;
