//! The four-bit sequential multiplier of the repair paper [JSGB11, Sec. 7.3].
//!
//! `init` loads the operands into the shift registers A and B and clears Q; then A shifts
//! right, B shifts left, and B is added to Q where the lowest bit of A is set. The full
//! adder of bit 0 always adds one. When all bits of A are through, Q has to be the product of
//! what was loaded; the counter and the copies of the operands that say so belong to the
//! property.

use super::worked_examples::{Example, functions, run};
use respin::design::aiger::{AigerFile, Signal};
use respin::design::{ComponentId, Design, InputKind, Literal, NodeId, Replacement, Reset, words};
use respin::repair::GameOptions;

struct Multiplier {
    file: AigerFile,
    /// Sum and carry of each full adder; the last carry goes nowhere.
    adders: Vec<Vec<NodeId>>,
    selectors: Vec<NodeId>,
    registers: Vec<NodeId>,
    /// What the full adder of bit 0 reads.
    operands: [Literal; 2],
}

fn inputs(design: &mut Design, name: &str, width: usize) -> Vec<Literal> {
    let mut bits = Vec::new();
    for bit in 0..width {
        let id = design.add_input(InputKind::Environment);
        design.set_name(id, format!("{name}[{bit}]"));
        bits.push(id.literal());
    }
    bits
}

fn register(design: &mut Design, name: &str, width: usize) -> Vec<NodeId> {
    let mut bits = Vec::new();
    for bit in 0..width {
        let id = design.add_latch(Reset::Zero);
        design.set_name(id, format!("{name}[{bit}]"));
        bits.push(id);
    }
    bits
}

/// A gate of its own with the value of the literal.
fn gate(design: &mut Design, literal: Literal) -> NodeId {
    design.add_gate(literal, Literal::TRUE)
}

fn literals(nodes: &[NodeId]) -> Vec<Literal> {
    nodes.iter().map(|id| id.literal()).collect()
}

fn multiplier(width: usize) -> Multiplier {
    let double = 2 * width;
    let mut design = Design::new();
    let init = design.add_input(InputKind::Environment);
    design.set_name(init, "init");
    let init = init.literal();
    let (a_in, b_in) = (
        inputs(&mut design, "a", width),
        inputs(&mut design, "b", width),
    );
    let a = register(&mut design, "A", width);
    let b = register(&mut design, "B", double);
    let q = register(&mut design, "Q", double);

    let mut selectors = Vec::new();
    for (bit, id) in b.iter().enumerate() {
        let selector = design.add_gate(id.literal(), a[0].literal());
        design.set_name(selector, format!("selected[{bit}]"));
        selectors.push(selector);
    }
    let mut adders = Vec::new();
    let mut carry = Literal::FALSE;
    for bit in 0..double {
        let (left, right) = (q[bit].literal(), selectors[bit].literal());
        let (sum, next_carry) = if bit == 0 {
            // left + right + 1
            (design.equal(left, right), design.or(left, right))
        } else {
            let half = design.xor(left, right);
            let sum = design.xor(half, carry);
            let both = design.and(left, right);
            let through = design.and(half, carry);
            (sum, design.or(both, through))
        };
        let sum = gate(&mut design, sum);
        let mut adder = vec![sum];
        if bit + 1 < double {
            let next_carry = gate(&mut design, next_carry);
            adder.push(next_carry);
            carry = next_carry.literal();
        }
        let next = design.and(!init, sum.literal());
        design.set_next(q[bit], next);
        adders.push(adder);
    }
    for bit in 0..width {
        let shifted = if bit + 1 < width {
            a[bit + 1].literal()
        } else {
            Literal::FALSE
        };
        let next = design.mux(init, a_in[bit], shifted);
        design.set_next(a[bit], next);
    }
    for bit in 0..double {
        let shifted = if bit > 0 {
            b[bit - 1].literal()
        } else {
            Literal::FALSE
        };
        let loaded = if bit < width {
            b_in[bit]
        } else {
            Literal::FALSE
        };
        let next = design.mux(init, loaded, shifted);
        design.set_next(b[bit], next);
    }
    for (bit, id) in q.iter().enumerate() {
        design.add_output(Some(format!("product[{bit}]")), id.literal(), None);
    }

    // The property: 1 in the cycle after loading, then up to one more than the width, then 0
    // again.
    let count = register(&mut design, "count", 3);
    let now = literals(&count);
    let one = words::constant(1, 3);
    let last = words::constant(width as u64 + 1, 3);
    let zero = words::constant(0, 3);
    let is_last = words::equal(&mut design, &now, &last);
    let is_zero = words::equal(&mut design, &now, &zero);
    let ends = design.or(is_last, is_zero);
    let more = words::add(&mut design, &now, &one);
    let idle = words::mux(&mut design, ends, &zero, &more);
    let next = words::mux(&mut design, init, &one, &idle);
    for (latch, next) in count.iter().zip(next) {
        design.set_next(*latch, next);
    }
    let mut copies = Vec::new();
    for (name, operand) in [("first", &a_in), ("second", &b_in)] {
        let copy = register(&mut design, name, width);
        for (latch, loaded) in copy.iter().zip(operand) {
            let next = design.mux(init, *loaded, latch.literal());
            design.set_next(*latch, next);
        }
        copies.push(words::resize(&literals(&copy), double, false));
    }
    let product = words::multiply(&mut design, &copies[0], &copies[1]);
    let right = words::equal(&mut design, &literals(&q), &product);
    let bad = design.and(is_last, !right);

    let operands = [q[0].literal(), selectors[0].literal()];
    let registers = [a, b, q].concat();
    let mut file = AigerFile::from_design(design, &[]).expect("no properties yet");
    file.bad.push(Signal {
        name: Some("product".to_string()),
        literal: bad,
        span: None,
    });
    Multiplier {
        file,
        adders,
        selectors,
        registers,
        operands,
    }
}

#[test]
fn only_the_full_adder_of_bit_0_is_found_and_an_or_gate_is_offered() {
    const WIDTH: usize = 4;
    let multiplier = multiplier(WIDTH);
    let mut netlist = multiplier.file.netlist();
    let mut suspects = Vec::new();
    for (bit, adder) in multiplier.adders.iter().enumerate() {
        let id = netlist
            .add_group(format!("adder {bit}"), adder)
            .expect("these are gates");
        suspects.push(id);
    }
    let single = |name: String| {
        let found = netlist
            .components()
            .iter()
            .position(|component| component.name == name);
        ComponentId(found.expect("a component of this name") as u32)
    };
    for id in multiplier.selectors.iter().chain(&multiplier.registers) {
        suspects.push(single(
            netlist.design().name(*id).expect("named").to_string(),
        ));
    }
    assert_eq!(suspects.len(), 2 * WIDTH + 2 * WIDTH + 5 * WIDTH);
    let example = Example {
        file: multiplier.file.clone(),
        netlist: netlist.clone(),
    };
    let answer = run(&example, None, &GameOptions::new(suspects));
    let replaced: Vec<&[Replacement]> = answer
        .repairs
        .iter()
        .map(|repair| &functions(repair).replacements[..])
        .collect();
    assert_eq!(
        replaced.len(),
        1,
        "{:?} {:?}",
        answer.locations.undecided,
        answer.locations.only_with_memory
    );
    assert_eq!(
        netlist.components()[replaced[0][0].component.0 as usize].name,
        "adder 0"
    );
    let functions: Vec<String> = replaced[0][0]
        .functions
        .iter()
        .map(|function| function.to_string())
        .collect();
    let [left, right] = multiplier.operands;
    assert_eq!(functions, [format!("({left} | {right})"), "0".to_string()]);
    // The game sees the cycle counter, so other adders win it with memory. Whether a function
    // of what they may read does is not decided.
    let open = answer
        .locations
        .undecided
        .iter()
        .chain(&answer.locations.only_with_memory);
    let open: Vec<&str> = open
        .map(|location| &netlist.components()[location[0].0 as usize].name[..])
        .collect();
    assert_eq!(open, ["adder 1", "adder 2"]);
}
