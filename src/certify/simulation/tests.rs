//! Abstractions with a fault are refused.

use super::has_every_run;
use crate::bdd::Limits;
use crate::design::memory::{self, Abstraction, Track};
use crate::design::{Design, Literal, Node, Reset, verilog};
use crate::source::Sources;

const MEMORY: &str = "module m(input clk, we, input [2:0] wa, ra, input [1:0] d, output [1:0] q);\n\
                      reg [1:0] mem [0:7];\n\
                      initial for (int i = 0; i < 8; i++) mem[i] = i;\n\
                      always @(posedge clk) if (we) mem[wa] <= d;\n\
                      assign q = mem[ra];\n\
                      endmodule\n";

fn design() -> Design {
    let mut sources = Sources::new();
    let file = sources.add("m.sv", MEMORY);
    let tree = verilog::parse(&sources, &[file], &|_, _| None, &[]).expect("legal");
    let elaborated = verilog::elaborate(&tree, &verilog::Options::default());
    elaborated.expect("legal").design
}

/// Whether the abstraction of the memory above is believed after a change.
fn is_believed(change: impl Fn(&mut Abstraction)) -> bool {
    let design = design();
    let memories = memory::find(&design, 1);
    assert_eq!((memories.len(), memories[0].reads.len()), (1, 1));
    let tracks = [0, 1].map(|steps_ago| Track {
        memory: 0,
        read: 0,
        steps_ago,
    });
    let mut abstraction = Abstraction::new(&design, memories, &tracks);
    change(&mut abstraction);
    has_every_run(&design, &abstraction, &Limits::default()) == Ok(true)
}

#[test]
fn an_abstraction_without_a_fault_is_believed() {
    assert!(is_believed(|_| {}));
}

#[test]
fn a_word_that_is_not_written_is_refused() {
    assert!(!is_believed(|one| {
        let bit = one.tracked[0].word[0];
        one.design.set_next(bit.node(), bit);
    }));
}

#[test]
fn a_word_that_starts_with_another_value_is_refused() {
    assert!(!is_believed(|one| {
        let bit = one.tracked[0].word[0];
        one.design.set_reset(bit.node(), Reset::One);
    }));
}

#[test]
fn a_read_that_always_gives_the_word_is_refused() {
    assert!(!is_believed(|one| {
        let bit = one.memories[0].reads[0].bits[0][0];
        let word = one.tracked[0].word[0];
        let value = word.complement_if(bit.is_complemented());
        one.design.drive(bit.node(), value, usize::MAX);
    }));
}

#[test]
fn a_read_that_gives_a_constant_is_refused() {
    assert!(!is_believed(|one| {
        let bit = one.memories[0].reads[0].bits[0][0];
        one.design.drive(bit.node(), Literal::FALSE, usize::MAX);
    }));
}

#[test]
fn a_condition_that_is_never_true_is_refused() {
    assert!(!is_believed(|one| one.matching = Literal::FALSE));
}

#[test]
fn a_condition_that_is_false_at_the_start_is_refused() {
    assert!(!is_believed(|one| {
        let latch = one.tracked[1].was_read.expect("one step ago");
        one.design.set_reset(latch.node(), Reset::Zero);
    }));
}

#[test]
fn an_address_that_changes_is_refused() {
    assert!(!is_believed(|one| {
        let bit = one.tracked[0].address[0];
        one.design.set_next(bit.node(), !bit);
    }));
}

#[test]
fn other_gates_are_refused() {
    let design = design();
    let reads = memory::find(&design, 1).remove(0).reads.remove(0);
    let is_read = |id| reads.bits.iter().flatten().any(|bit| bit.node() == id);
    // The clock is a constant gate already.
    let is_constant = |id| {
        design
            .gate(id)
            .is_some_and(|(left, _)| left == Literal::TRUE)
    };
    let mut gates = design.gates().filter(|id| !is_constant(*id));
    let gate = gates.find(|id| !is_read(*id)).expect("a write");
    assert!(!is_believed(|one| {
        one.design
            .replace(gate, Node::And(Literal::TRUE, Literal::FALSE));
    }));
}
