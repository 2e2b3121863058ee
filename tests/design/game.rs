//! All suspects in one design, and games as synthesis files.

use respin::design::aiger::AigerFile;
use respin::design::{ComponentId, Design, InputKind, Literal, NodeId, Simulator};
use respin::random::Random;

use super::support::{Circuit, check_random, read};

const CYCLES: usize = 6;

/// The outputs over some cycles. Latches and inputs that `choose` leaves open get a value
/// that depends on name and cycle only, so that two designs with the same names see the same
/// environment. The value that a latch starts with may be asked for under the latch's own
/// name or, where it was moved elsewhere, under `initial_` and that name.
fn observe(design: &Design, skip: usize, choose: impl Fn(&str) -> Option<bool>) -> Vec<Vec<u64>> {
    let mut simulator = Simulator::new(design).expect("a sound design");
    let value = |id: NodeId, cycle: usize| {
        let name = design.name(id).expect("all that is chosen has a name");
        let name = name.trim_start_matches("initial_");
        match choose(name) {
            Some(value) => u64::from(value).wrapping_neg(),
            None => {
                let seed = name.bytes().fold(cycle as u64, |hash, byte| {
                    hash.wrapping_mul(31).wrapping_add(u64::from(byte))
                });
                Random::new(seed).word()
            }
        }
    };
    simulator.start(|id| value(id, 0));
    let mut observed = Vec::new();
    for cycle in 0..CYCLES + skip {
        // Cycles are counted without those that are skipped.
        simulator.settle(|id| value(id, (cycle + 100 - skip) % 100));
        if cycle >= skip {
            let outputs = design.outputs().iter();
            observed.push(outputs.map(|o| simulator.value(o.literal)).collect());
        }
        simulator.advance();
    }
    observed
}

/// A random file in which every input and latch has a name of its own.
fn named_file(random: &mut Random, size: usize) -> AigerFile {
    let mut circuit = Circuit::random(random, size);
    circuit.symbols.clear();
    for position in 0..circuit.inputs.len() {
        circuit.symbols.push(format!("i{position} input{position}"));
    }
    for position in 0..circuit.latches.len() {
        circuit.symbols.push(format!("l{position} latch{position}"));
    }
    // A bad signal makes the outputs real ones.
    circuit.bad = vec![0];
    circuit.constraints.clear();
    circuit.justice.clear();
    circuit.fairness.clear();
    read(circuit.text())
}

/// The bit of `diagnosis[3]` and the like, if the name is one.
fn bit_of(name: &str, word: &str) -> Option<usize> {
    let index = name
        .strip_prefix(word)?
        .strip_prefix('[')?
        .strip_suffix(']')?;
    index.parse().ok()
}

#[test]
fn selected_suspect_behaves_like_its_hole() {
    check_random(200, 8, |random, size| {
        let netlist = named_file(random, size).netlist();
        let suspects: Vec<ComponentId> = netlist.component_ids().collect();
        if suspects.is_empty() {
            return Ok(());
        }
        let index = random.below(suspects.len());
        let choice = random.below(2) == 1;
        let instrumented = netlist.instrument(&suspects, 1).map_err(|d| d.message)?;
        let all = observe(&instrumented.design, 0, |name| {
            match bit_of(name, "diagnosis") {
                Some(bit) => Some(index >> bit & 1 == 1),
                None => {
                    (name.starts_with("choice[") || name.starts_with("rigid[")).then_some(choice)
                }
            }
        });
        let single = netlist
            .elaborate(&[suspects[index]])
            .map_err(|d| d.message)?;
        let alone = observe(&single.design, 0, |name| {
            (name.starts_with("choice_") || name.starts_with("reset_")).then_some(choice)
        });
        if all == alone {
            return Ok(());
        }
        Err(format!(
            "suspect {index}\n{}\n{}",
            instrumented.design, single.design
        ))
    });
}

#[test]
fn number_of_no_suspect_changes_nothing() {
    let netlist =
        read("aag 5 1 1 1 3 1\n2\n4 10\n4\n0\n6 2 5\n8 3 4\n10 7 9\ni0 a\nl0 s\n").netlist();
    let suspects: Vec<ComponentId> = netlist.component_ids().take(3).collect();
    let instrumented = netlist.instrument(&suspects, 1).expect("components");
    let unchanged = observe(netlist.design(), 0, |_| None);
    let none = observe(&instrumented.design, 0, |name| {
        bit_of(name, "diagnosis").map(|_| true)
    });
    assert_eq!(none, unchanged);
}

#[test]
fn two_faults_have_choices_of_their_own() {
    let netlist = read("aag 2 0 2 2 0 1\n2 3\n4 5\n2\n4\n0\n").netlist();
    let suspects: Vec<ComponentId> = netlist.component_ids().take(2).collect();
    let instrumented = netlist.instrument(&suspects, 2).expect("components");
    let names: Vec<&str> = instrumented.design.names().map(|(_, name)| name).collect();
    assert_eq!(
        names,
        ["diagnosis0[0]", "choice0[0]", "diagnosis1[0]", "choice1[0]"]
    );
}

#[test]
fn game_without_rigid_choices_only_renames() {
    let source = read("aag 3 2 0 1 1 1\n2\n4\n6\n3\n6 2 4\ni0 a\n");
    let netlist = source.netlist();
    let elaborated = netlist.elaborate(&[ComponentId(0)]).expect("a component");
    let game = source.with_design(elaborated.design);
    let text = game
        .synthesis_game()
        .and_then(|game| game.to_ascii())
        .expect("expressible");
    let expected = "aag 4 3 0 1 1 1\n2\n4\n6\n6\n3\n8 2 4\ni0 a\ni2 controllable_choice_and6\n";
    assert_eq!(String::from_utf8_lossy(&text), expected);
}

/// Some value for each rigid choice, by its name; the same in every cycle.
fn rigid_value(name: &str) -> Option<bool> {
    let is_rigid = ["diagnosis[", "rigid["]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    let sum: u32 = name.bytes().map(u32::from).sum();
    is_rigid.then_some(sum.is_multiple_of(3))
}

#[test]
fn choosing_cycle_delays_the_game_by_one() {
    check_random(200, 8, |random, size| {
        let source = named_file(random, size);
        let netlist = source.netlist();
        let suspects: Vec<ComponentId> = netlist.component_ids().collect();
        if suspects.is_empty() {
            return Ok(());
        }
        let design = netlist
            .instrument(&suspects, 1)
            .map_err(|d| d.message)?
            .design;
        let rigid = design
            .latches()
            .iter()
            .any(|id| design.is_rigid_choice(*id));
        if !rigid {
            return Ok(());
        }
        let direct = observe(&design, 0, rigid_value);
        let file = source.with_design(design);
        let game = file.synthesis_game().map_err(|d| d.message)?;
        let written = read(game.to_ascii().map_err(|d| d.message)?);
        // Names of inputs lose their prefix here so that both sides hash the same.
        let mut renamed = written.design.clone();
        for id in renamed.inputs().to_vec() {
            let name = renamed.name(id).unwrap_or("").to_string();
            let plain = name
                .strip_prefix("controllable_")
                .unwrap_or(&name)
                .to_string();
            renamed.set_name(id, plain);
        }
        let delayed = observe(&renamed, 1, rigid_value);
        if direct == delayed {
            return Ok(());
        }
        Err(format!("{}\n{}", file.design, written.design))
    });
}

#[test]
fn nothing_is_bad_in_the_choosing_cycle() {
    let source = read("aag 1 0 1 1 0 1\n2 2 1\n2\n1\nl0 s\n");
    let netlist = source.netlist();
    let reset = netlist.component_ids().last().expect("a reset");
    let file = source.with_design(netlist.elaborate(&[reset]).expect("a component").design);
    let game = file.synthesis_game().expect("expressible");
    let stimulus = vec![vec![false]; 2];
    let run = game.design.run(&[], &stimulus).expect("a sound design");
    let bad: Vec<bool> = (0..2)
        .map(|cycle| run.value(cycle, game.bad[0].literal))
        .collect();
    assert_eq!(bad, [false, true]);
}

#[test]
fn choices_of_a_game_read_back_as_choices() {
    let source = read("aag 1 0 1 1 0 1\n2 3\n2\n2\nl0 s\n");
    let netlist = source.netlist();
    let holes: Vec<ComponentId> = netlist.component_ids().collect();
    let file = source.with_design(netlist.elaborate(&holes).expect("components").design);
    let game = read(
        file.synthesis_game()
            .and_then(|game| game.to_binary())
            .expect("sound"),
    );
    let kinds: Vec<Option<InputKind>> = game
        .design
        .inputs()
        .iter()
        .map(|id| game.design.input_kind(*id))
        .collect();
    assert_eq!(kinds, [Some(InputKind::Choice); 2]);
}

#[test]
fn rigid_choice_is_not_written_as_plain_aiger() {
    let source = read("aag 1 0 1 1 0 1\n2 3\n2\n2\nl0 s\n");
    let netlist = source.netlist();
    let reset = netlist.component_ids().last().expect("a reset");
    let file = source.with_design(netlist.elaborate(&[reset]).expect("a component").design);
    let message = file.to_ascii().map_err(|d| d.message);
    assert_eq!(
        message,
        Err("the initial value of latch `s` is a choice".to_string())
    );
}

#[test]
fn literals_of_properties_mean_the_same_with_holes() {
    let source = read("aag 3 2 0 1 1 1\n2\n4\n6\n7\n6 2 4\n");
    let netlist = source.netlist();
    let elaborated = netlist.elaborate(&[ComponentId(0)]).expect("a component");
    let bad: Literal = source.bad[0].literal;
    assert_eq!(bad, !elaborated.holes[0].choices[0]);
}
