//! Whole answers on random designs, judged by programs that share nothing with respin.
//!
//! Solver and certificate have the front end in common, and the translation of assertions. A
//! mistake there passes every check inside of respin, so these tests let others read the same
//! text: Yosys and ABC judge verdicts and corrections, and for sequences Icarus Verilog runs the
//! design and the evaluator of `tests/sva` reads the property.
//!
//! A usual run is short; `RESPIN_CASES=N` asks for N designs of each kind, and `RESPIN_SEED=N`
//! runs one of them alone. What fails is printed with its seed, made smaller.

mod assertions;
mod batch;
mod corrections;
mod fault;
mod icarus;
mod judges;
mod sequences;

#[path = "../support/cases.rs"]
mod cases;
#[path = "../verilog/choices.rs"]
mod choices;
#[path = "../sva/evaluator.rs"]
#[allow(dead_code, reason = "random sequences have no `within`")]
mod evaluator;
#[path = "../verilog/expression.rs"]
mod expression;
#[path = "../verilog/module.rs"]
mod module;
#[path = "../sva/properties.rs"]
mod properties;
#[path = "../support/seed.rs"]
mod seed;
#[path = "../verilog/statement.rs"]
mod statement;
#[path = "../support/within.rs"]
mod within;
