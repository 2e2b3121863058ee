//! Components, holes and replacements.

use respin::design::aiger::AigerFile;
use respin::design::{
    Component, ComponentId, ComponentKind, Function, Literal, Netlist, NodeId, Replacement,
    Simulator,
};
use respin::random::Random;

use super::support::{Circuit, check_random, read, signature};

/// A toggle with enable: state' = state xor enable; the bad signal has a gate of its own.
const TOGGLE: &str = "aag 7 1 1 1 4 1\n2\n4 10\n4\n14\n6 2 5\n8 3 4\n10 7 9\n14 4 2\n\
                      i0 enable\nl0 state\no0 q\n";

/// A full adder with registered result: sum 12, carry 13.
const ADDER: &str = "aag 12 3 2 2 7 1\n2\n4\n6\n8 20\n10 25\n8\n10\n8\n\
                     12 2 5\n14 3 4\n16 13 15\n18 16 6\n20 17 7\n22 2 4\n24 23 19\n\
                     i0 a\ni1 b\ni2 cin\nl0 sum\nl1 carry\n";

fn netlist(text: &str) -> Netlist {
    read(text).netlist()
}

fn find(netlist: &Netlist, kind: ComponentKind, name: &str) -> ComponentId {
    let matches = |component: &Component| component.kind == kind && component.name == name;
    let position = netlist.components().iter().position(matches);
    ComponentId(position.expect("the component is listed") as u32)
}

fn node(file: &AigerFile, file_literal: u32) -> NodeId {
    let mut ids = file.design.node_ids();
    ids.find(|id| file.layout.file_literal(*id) == Some(file_literal))
        .expect("a node")
}

fn signal(file: &AigerFile, file_literal: u32) -> Function {
    let id = node(file, file_literal & !1);
    Function::Signal(Literal::new(id, file_literal & 1 == 1))
}

#[test]
fn components_of_a_file() {
    let netlist = netlist(TOGGLE);
    let listed: Vec<String> = netlist
        .components()
        .iter()
        .map(|component| format!("{:?} {}", component.kind, component.name))
        .collect();
    let expected = [
        "Gate and6",
        "Gate and8",
        "Gate and10",
        "LatchNext state",
        "LatchReset state",
    ];
    assert_eq!(listed, expected);
}

#[test]
fn gate_of_the_property_is_hidden() {
    let file = read(TOGGLE);
    let netlist = file.netlist();
    assert!(netlist.design().is_hidden(node(&file, 14)));
}

#[test]
fn state_that_only_a_property_reads_is_no_component() {
    // Latch 6 remembers latch 4 for the bad signal only.
    let netlist = netlist("aag 4 1 2 1 1 1\n2\n4 2\n6 4\n4\n8\n8 4 6\nl0 real\nl1 monitor\n");
    let names: Vec<&str> = netlist
        .components()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["real", "real"]);
}

#[test]
fn without_real_outputs_all_state_counts() {
    let netlist = netlist("aag 3 1 1 1 1\n2\n4 6\n4\n6 2 5\nl0 state\n");
    let names: Vec<&str> = netlist
        .components()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["and6", "state", "state"]);
}

#[test]
fn component_of_a_hierarchical_name_has_a_scope() {
    let netlist = netlist("aag 1 0 1 1 0 1\n2 3\n2\n2\nl0 top.unit.state\n");
    assert_eq!(netlist.components()[0].scope, ["top", "unit"]);
}

#[test]
fn open_gate_is_a_choice_in_place() {
    let netlist = netlist(TOGGLE);
    let hole = find(&netlist, ComponentKind::Gate, "and8");
    let elaborated = netlist.elaborate(&[hole]).map(|e| e.design.to_string());
    let expected = "design\nn1 = input \"enable\"\nn2 = latch reset 0 next n5 \"state\"\n\
                    n3 = and n1 !n2\nn4 = choice \"choice_and8\"\nn5 = and !n3 !n4\n\
                    n6 = and n2 n1\nn7 = and !n1 n2\noutput \"q\" = n2\nhidden n6\n";
    assert_eq!(elaborated.map_err(|d| d.message), Ok(expected.to_string()));
}

#[test]
fn open_next_value_is_a_new_choice() {
    let netlist = netlist(TOGGLE);
    let hole = find(&netlist, ComponentKind::LatchNext, "state");
    let elaborated = netlist.elaborate(&[hole]).expect("a component");
    let latch = elaborated.design.latches()[0];
    let next = elaborated.design.latch(latch).map(|latch| latch.next);
    assert_eq!(next, Some(elaborated.holes[0].choices[0]));
}

#[test]
fn open_reset_is_a_rigid_choice() {
    let netlist = netlist(TOGGLE);
    let hole = find(&netlist, ComponentKind::LatchReset, "state");
    let elaborated = netlist.elaborate(&[hole]).expect("a component");
    let text = elaborated.design.to_string();
    let latches: Vec<&str> = text.lines().filter(|line| line.contains("latch")).collect();
    let expected = [
        "n2 = latch reset =n7 next n5 \"state\"",
        "n7 = latch reset choice next n7 \"reset_state\"",
    ];
    assert_eq!(latches, expected);
}

#[test]
fn choosing_what_was_there_changes_nothing() {
    let netlist = netlist(ADDER);
    let holes: Vec<ComponentId> = netlist.component_ids().collect();
    let elaborated = netlist
        .elaborate(&holes)
        .expect("components do not overlap");
    let mut design = elaborated.design;
    // Each choice is driven by the value that it replaced.
    for hole in &elaborated.holes {
        for (choice, original) in hole.choices.iter().zip(&hole.originals) {
            let length = design.len();
            design.drive(choice.node(), *original, length);
        }
    }
    let outputs: Vec<Literal> = design.outputs().iter().map(|o| o.literal).collect();
    // Sums and carries do not depend on initial values from the second cycle on.
    let skip = outputs.len();
    let before = signature(netlist.design(), &outputs, 3);
    assert_eq!(signature(&design, &outputs, 3)[skip..], before[skip..]);
}

#[test]
fn several_holes_have_choices_of_their_own() {
    let netlist = netlist(TOGGLE);
    let first = find(&netlist, ComponentKind::Gate, "and6");
    let second = find(&netlist, ComponentKind::LatchNext, "state");
    let elaborated = netlist.elaborate(&[first, second]).expect("components");
    let choices: Vec<&str> = elaborated
        .holes
        .iter()
        .filter_map(|hole| elaborated.design.name(hole.choices[0].node()))
        .collect();
    assert_eq!(choices, ["choice_and6", "choice_state"]);
}

#[test]
fn overlapping_holes_are_refused() {
    let file = read(ADDER);
    let mut netlist = file.netlist();
    let nodes = [node(&file, 16), node(&file, 24)];
    let group = netlist.add_group("adder", &nodes).expect("gates");
    let single = find(&netlist, ComponentKind::Gate, "and16");
    let message = netlist
        .elaborate(&[group, single])
        .map(|_| ())
        .map_err(|d| d.message);
    assert_eq!(
        message,
        Err("`adder` and `and16` replace the same signal".to_string())
    );
}

#[test]
fn group_has_the_width_of_its_gates() {
    let file = read(ADDER);
    let mut netlist = file.netlist();
    let nodes = [node(&file, 20), node(&file, 24)];
    let group = netlist.add_group("adder", &nodes).expect("gates");
    let elaborated = netlist.elaborate(&[group]).expect("a component");
    let choices: Vec<Literal> = nodes.iter().map(|id| id.literal()).collect();
    assert_eq!(elaborated.holes[0].choices, choices);
}

#[test]
fn group_with_a_gate_of_the_property_is_refused() {
    let file = read(TOGGLE);
    let mut netlist = file.netlist();
    let nodes = [node(&file, 14)];
    let code = netlist
        .add_group("bad", &nodes)
        .map_err(|diagnostic| diagnostic.code);
    assert_eq!(code, Err(respin::design::codes::NOT_A_COMPONENT));
}

#[test]
fn unknown_component_is_refused() {
    let message = netlist(TOGGLE).elaborate(&[ComponentId(99)]).map(|_| ());
    let message = message.map_err(|diagnostic| diagnostic.message);
    assert_eq!(
        message,
        Err("there is no component 99 in this design".to_string())
    );
}

/// The lines that a replacement takes away and adds.
fn check_diff(
    file: &AigerFile,
    netlist: &Netlist,
    component: ComponentId,
    functions: Vec<Function>,
    expected: &[&str],
) {
    let replacement = Replacement {
        component,
        functions,
    };
    let patched = netlist
        .render(&[replacement])
        .expect("a replacement that fits");
    let text = |file: &AigerFile| String::from_utf8(file.to_ascii().expect("sound")).unwrap();
    let (old, new) = (text(file), text(&file.with_design(patched)));
    let removed = old
        .lines()
        .filter(|line| !new.lines().any(|other| other == *line));
    let added = new
        .lines()
        .filter(|line| !old.lines().any(|other| other == *line));
    let diff: Vec<String> = removed
        .map(|line| format!("-{line}"))
        .chain(added.map(|line| format!("+{line}")))
        .collect();
    assert_eq!(diff, expected);
}

#[test]
fn conjunction_changes_one_line() {
    let file = read(TOGGLE);
    let netlist = file.netlist();
    let gate = find(&netlist, ComponentKind::Gate, "and8");
    let function = Function::And(vec![signal(&file, 4), signal(&file, 2)]);
    check_diff(&file, &netlist, gate, vec![function], &["-8 3 4", "+8 4 2"]);
}

#[test]
fn constant_changes_one_line() {
    let file = read(TOGGLE);
    let netlist = file.netlist();
    let gate = find(&netlist, ComponentKind::Gate, "and8");
    check_diff(
        &file,
        &netlist,
        gate,
        vec![Function::Constant(true)],
        &["-8 3 4", "+8 1 1"],
    );
}

#[test]
fn disjunction_adds_a_gate_at_the_end() {
    let file = read(TOGGLE);
    let netlist = file.netlist();
    let gate = find(&netlist, ComponentKind::Gate, "and8");
    let function = Function::Or(vec![signal(&file, 4), signal(&file, 2)]);
    check_diff(
        &file,
        &netlist,
        gate,
        vec![function],
        &[
            "-aag 7 1 1 1 4 1",
            "-8 3 4",
            "+aag 8 1 1 1 5 1",
            "+8 17 1",
            "+16 5 3",
        ],
    );
}

#[test]
fn next_value_changes_the_line_of_the_latch() {
    let file = read(TOGGLE);
    let netlist = file.netlist();
    let next = find(&netlist, ComponentKind::LatchNext, "state");
    let function = signal(&file, 3);
    check_diff(&file, &netlist, next, vec![function], &["-4 10", "+4 3"]);
}

#[test]
fn reset_changes_the_line_of_the_latch() {
    let file = read(TOGGLE);
    let netlist = file.netlist();
    let reset = find(&netlist, ComponentKind::LatchReset, "state");
    check_diff(
        &file,
        &netlist,
        reset,
        vec![Function::Constant(true)],
        &["-4 10", "+4 10 1"],
    );
}

#[test]
fn group_changes_the_line_of_each_gate() {
    let file = read(ADDER);
    let mut netlist = file.netlist();
    let nodes = [node(&file, 20), node(&file, 24)];
    let group = netlist.add_group("adder", &nodes).expect("gates");
    let functions = vec![
        Function::And(vec![signal(&file, 6), signal(&file, 4)]),
        signal(&file, 2),
    ];
    let expected = ["-20 17 7", "-24 23 19", "+20 6 4", "+24 2 1"];
    check_diff(&file, &netlist, group, functions, &expected);
}

fn render_error(text: &str, kind: ComponentKind, name: &str, function: Function) -> String {
    let netlist = netlist(text);
    let replacement = Replacement {
        component: find(&netlist, kind, name),
        functions: vec![function],
    };
    match netlist.render(&[replacement]) {
        Ok(_) => "rendered".to_string(),
        Err(diagnostic) => diagnostic.message,
    }
}

#[test]
fn replacement_that_closes_a_loop_is_refused() {
    let function = signal(&read(TOGGLE), 10);
    let message = render_error(TOGGLE, ComponentKind::Gate, "and8", function);
    assert_eq!(message, "combinational loop: n5 -> n4 -> n5");
}

#[test]
fn replacement_that_reads_the_property_is_refused() {
    let function = signal(&read(TOGGLE), 14);
    let message = render_error(TOGGLE, ComponentKind::Gate, "and8", function);
    let expected = "the replacement of `and8` reads n6, which exists only for a property";
    assert_eq!(message, expected);
}

#[test]
fn reset_that_is_no_constant_is_refused() {
    let function = signal(&read(TOGGLE), 2);
    let message = render_error(TOGGLE, ComponentKind::LatchReset, "state", function);
    assert_eq!(message, "the reset value of `state` must be a constant");
}

#[test]
fn replacement_of_the_wrong_width_is_refused() {
    let netlist = netlist(TOGGLE);
    let replacement = Replacement {
        component: ComponentId(0),
        functions: Vec::new(),
    };
    let message = netlist
        .render(&[replacement])
        .map(|_| ())
        .map_err(|d| d.message);
    let expected = "`and6` has 1 bits, but 0 functions were given";
    assert_eq!(message, Err(expected.to_string()));
}

#[test]
fn patched_binary_is_renumbered_only_behind_the_new_gate() {
    let ascii = "aag 5 2 0 1 3 1\n2\n4\n10\n10\n6 4 2\n8 6 3\n10 8 7\n";
    let file = read(read(ascii).to_binary().expect("sound"));
    let netlist = file.netlist();
    let replacement = Replacement {
        component: find(&netlist, ComponentKind::Gate, "and8"),
        functions: vec![Function::Or(vec![signal(&file, 6), signal(&file, 2)])],
    };
    let patched = netlist
        .render(&[replacement])
        .expect("a replacement that fits");
    let again = read(file.with_design(patched).to_binary().expect("sound"))
        .to_ascii()
        .expect("sound");
    let expected = "aag 6 2 0 1 4 1\n2\n4\n12\n12\n6 4 2\n8 7 3\n10 9 1\n12 10 7\n";
    assert_eq!(String::from_utf8_lossy(&again), expected);
}

fn random_function(random: &mut Random, leaves: &[Literal], depth: usize) -> Function {
    let kind = if depth == 0 {
        random.below(2)
    } else {
        random.below(7)
    };
    let mut operand = || Box::new(random_function(random, leaves, depth.saturating_sub(1)));
    match kind {
        0 => Function::Constant(depth.is_multiple_of(2)),
        2 => Function::Not(operand()),
        3 => Function::And(vec![*operand(), *operand(), *operand()]),
        4 => Function::Or(vec![*operand(), *operand()]),
        5 => Function::Xor(operand(), operand()),
        6 => Function::Mux(operand(), operand(), operand()),
        _ => Function::Signal(leaves[random.below(leaves.len())]),
    }
}

fn evaluate(function: &Function, value: &impl Fn(Literal) -> u64) -> u64 {
    let operand = |function: &Function| evaluate(function, value);
    match function {
        Function::Constant(constant) => u64::from(*constant).wrapping_neg(),
        Function::Signal(literal) => value(*literal),
        Function::Not(inner) => !operand(inner),
        Function::And(operands) => operands.iter().map(operand).fold(u64::MAX, |l, r| l & r),
        Function::Or(operands) => operands.iter().map(operand).fold(0, |l, r| l | r),
        Function::Xor(left, right) => operand(left) ^ operand(right),
        Function::Mux(condition, then, otherwise) => {
            let condition = operand(condition);
            condition & operand(then) | !condition & operand(otherwise)
        }
    }
}

#[test]
fn replacement_behaves_like_a_system_that_chooses_its_values() {
    check_random(300, 10, |random, size| {
        let netlist = read(Circuit::random(random, size).text()).netlist();
        let design = netlist.design();
        let dynamic: Vec<ComponentId> = netlist
            .component_ids()
            .filter(|id| netlist.components()[id.0 as usize].kind != ComponentKind::LatchReset)
            .collect();
        let state = design.inputs().iter().chain(design.latches());
        let leaves: Vec<Literal> = state
            .filter(|id| !design.is_hidden(**id))
            .map(|id| id.literal())
            .chain([Literal::TRUE])
            .collect();
        if dynamic.is_empty() {
            return Ok(());
        }
        let component = dynamic[random.below(dynamic.len())];
        let function = random_function(random, &leaves, 3);
        let replacement = Replacement {
            component,
            functions: vec![function.clone()],
        };
        let patched = netlist.render(&[replacement]).map_err(|d| d.message)?;
        let open = netlist.elaborate(&[component]).map_err(|d| d.message)?;
        let choice = open.holes[0].choices[0].node();
        let mut fixed = Simulator::new(&patched).map_err(|d| d.message)?;
        let mut chosen = Simulator::new(&open.design).map_err(|d| d.message)?;
        let seed = random.word();
        let value =
            |id: NodeId, cycle: u64| Random::new(seed ^ id.index() as u64 ^ cycle << 32).word();
        fixed.start(|id| value(id, 0));
        chosen.start(|id| value(id, 0));
        for cycle in 0..6 {
            fixed.settle(|id| value(id, cycle));
            chosen.settle(|id| value(id, cycle));
            // State and inputs do not depend on the choice, so it can be computed now.
            let choice_value = evaluate(&function, &|literal| chosen.value(literal));
            chosen.settle(|id| {
                if id == choice {
                    choice_value
                } else {
                    value(id, cycle)
                }
            });
            for output in design.outputs() {
                if fixed.value(output.literal) != chosen.value(output.literal) {
                    return Err(format!("{function}\n{design}\n{patched}"));
                }
            }
            fixed.advance();
            chosen.advance();
        }
        Ok(())
    });
}
