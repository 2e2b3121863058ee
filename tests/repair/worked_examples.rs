//! The worked examples of the repair paper [JSGB11], reconstructed from its text.

use super::subject::subject;
use respin::certify;
use respin::design::aiger::{self, AigerFile};
use respin::design::{
    Candidate, ComponentId, ComponentKind, Design, InputKind, Literal, Netlist, NodeId, Reset,
};
use respin::repair::games::by_games;
use respin::repair::{GameOptions, LocationAnswer, RankedCorrection};
use respin::source::Sources;
use respin::spec::Spec;

/// A circuit with its components.
pub struct Example {
    pub file: AigerFile,
    pub netlist: Netlist,
}

impl Example {
    pub fn new(file: AigerFile) -> Example {
        let netlist = file.netlist();
        Example { file, netlist }
    }
}

/// Whether a file keeps a specification, or what it says itself, as it is written.
pub fn holds(file: &AigerFile, spec: Option<&Spec>) -> bool {
    let bytes = file.to_bytes().expect("the file can be written");
    let written = aiger::read(&bytes, None).expect("what is written can be read");
    let mut own = Spec::new();
    own.add_items(&written.properties()).expect("items");
    let spec = spec.unwrap_or(&own);
    let verdicts = certify::check(&written.design, spec, &certify::Options::default());
    let mut verdicts = verdicts.expect("the properties fit the design").into_iter();
    verdicts.all(|(_, verdict)| verdict == certify::Verdict::Holds)
}

/// What was found, and the corrections.
pub struct Answer {
    pub locations: LocationAnswer,
    pub repairs: Vec<RankedCorrection>,
}

/// Each correction is model-checked once more, in the file as it is written.
pub fn run(example: &Example, spec: Option<&Spec>, options: &GameOptions) -> Answer {
    let subject = subject(&example.file, &example.netlist, spec);
    let (locations, repairs) = by_games(&subject, options).expect("no limits");
    for repair in &repairs {
        let bytes = repair.patch.files.values().next().expect("one file");
        let mut file = aiger::read(bytes, None).expect("what is written can be read");
        file.outputs_are_plain = spec.is_some();
        assert!(holds(&file, spec), "{:?}", repair.patch.changes);
    }
    Answer { locations, repairs }
}

/// The replacements of a correction.
pub fn functions(correction: &RankedCorrection) -> &Candidate {
    correction.functions.as_ref().expect("a game found it")
}

fn example(text: &str) -> Example {
    Example::new(aiger::read(text.as_bytes(), None).expect("the example is well-formed"))
}

fn properties(text: &str) -> Spec {
    let mut sources = Sources::new();
    let file = sources.add("properties.ltl", text);
    let mut spec = Spec::new();
    spec.add_property_file(file, text)
        .expect("the properties are well-formed");
    spec
}

fn options(netlist: &Netlist, kinds: &[ComponentKind]) -> GameOptions {
    let wanted = |id: &ComponentId| kinds.contains(&netlist.components()[id.0 as usize].kind);
    GameOptions::new(netlist.component_ids().filter(wanted).collect())
}

/// Name of the component and the functions that replace it.
fn offered(netlist: &Netlist, answer: &Answer) -> Vec<String> {
    let describe = |replacement: &respin::design::Replacement| {
        let name = &netlist.components()[replacement.component.0 as usize].name;
        let functions: Vec<String> = replacement
            .functions
            .iter()
            .map(|function| function.to_string())
            .collect();
        format!("{name} := {}", functions.join(", "))
    };
    answer
        .repairs
        .iter()
        .map(|r| describe(&functions(r).replacements[0]))
        .collect()
}

/// Fig. 1: `out = D0 ^ D1`, `D1' = out`, `D0' = i & D1`. Gate 8 is the AND gate, and 14 the
/// output of the exclusive or.
pub const FIGURE_1: &str = "\
aag 7 1 2 1 4
2
4 8
6 14
14
8 2 6
10 4 6
12 5 7
14 11 13
i0 i
l0 D0
l1 D1
o0 out
";

#[test]
fn figure_1_only_the_and_gate_can_be_replaced() {
    let example = example(FIGURE_1);
    let netlist = &example.netlist;
    let spec = properties("assert start: !out; assert alternate: G (!out <-> X out);");
    let mut options = options(netlist, &[ComponentKind::Gate]);
    options
        .suspects
        .retain(|id| ["and8", "out"].contains(&netlist.components()[id.0 as usize].name.as_str()));
    assert_eq!(options.suspects.len(), 2);
    let answer = run(&example, Some(&spec), &options);
    assert_eq!(offered(netlist, &answer), ["and8 := 1"]);
    assert_eq!(
        answer.locations.only_with_memory.len(),
        1,
        "the exclusive or wins with memory only"
    );
    assert!(answer.locations.undecided.is_empty());
}

/// A finite-state machine whose one gate `choice` picks among the successors of a state;
/// `successors[state]` are those for choice 0 and 1, and for the input 0 and 1 each. The
/// outputs `at0`, `at1`, ... say which state it is in.
pub fn machine(successors: &[[[usize; 2]; 2]]) -> Example {
    machine_beside(successors, |_, _| {})
}

/// The same with more in the design, which may follow the input.
fn machine_beside(
    successors: &[[[usize; 2]; 2]],
    add: impl FnOnce(&mut Design, Literal),
) -> Example {
    let mut design = Design::new();
    let width = successors.len().next_power_of_two().trailing_zeros() as usize;
    let input = design.add_input(InputKind::Environment);
    design.set_name(input, "input");
    let latches: Vec<NodeId> = (0..width).map(|_| design.add_latch(Reset::Zero)).collect();
    for (bit, latch) in latches.iter().enumerate() {
        design.set_name(*latch, format!("s{bit}"));
    }
    // A gate that is constantly 0.
    let choice = design.add_gate(latches[0].literal(), !latches[0].literal());
    design.set_name(choice, "choice");
    let mut next = vec![Literal::FALSE; width];
    for (state, by_choice) in successors.iter().enumerate() {
        let bits = latches.iter().enumerate();
        let bits = bits.map(|(bit, id)| id.literal().complement_if(state >> bit & 1 == 0));
        let here = design.and_all(bits);
        design.add_output(Some(format!("at{state}")), here, None);
        for (chosen, by_input) in by_choice.iter().enumerate() {
            for (set, successor) in by_input.iter().enumerate() {
                let condition = [
                    here,
                    choice.literal().complement_if(chosen == 0),
                    input.literal().complement_if(set == 0),
                ];
                let taken = design.and_all(condition);
                for (bit, next) in next.iter_mut().enumerate() {
                    if successor >> bit & 1 == 1 {
                        *next = design.or(*next, taken);
                    }
                }
            }
        }
    }
    for (latch, next) in latches.iter().zip(next) {
        design.set_next(*latch, next);
    }
    add(&mut design, input.literal());
    Example::new(AigerFile::from_design(design, &[]).expect("no properties"))
}

fn only_the_choice(example: &Example) -> GameOptions {
    let netlist = &example.netlist;
    let mut options = options(netlist, &[ComponentKind::Gate]);
    options
        .suspects
        .retain(|id| netlist.components()[id.0 as usize].name == "choice");
    assert_eq!(options.suspects.len(), 1);
    options
}

/// A state whose successor the choice alone decides.
pub const fn either(first: usize, second: usize) -> [[usize; 2]; 2] {
    [[first, first], [second, second]]
}

/// A state whose successor the environment alone decides.
fn any(first: usize, second: usize) -> [[usize; 2]; 2] {
    [[first, second], [first, second]]
}

#[test]
fn figure_8_right_needs_memory() {
    let example = machine(&[either(1, 2), either(0, 0), either(0, 0)]);
    let spec = properties("assert one: G F at1; assert two: G F at2;");
    let answer = run(&example, Some(&spec), &only_the_choice(&example));
    assert!(answer.repairs.is_empty());
    assert_eq!(answer.locations.only_with_memory.len(), 1);
    let options = GameOptions {
        allow_state: true,
        ..only_the_choice(&example)
    };
    let answer = run(&example, Some(&spec), &options);
    assert_eq!(answer.repairs.len(), 1);
    assert!(functions(&answer.repairs[0]).added_registers() > 0);
}

#[test]
fn figure_8_left_does_not() {
    // As on the right, but state 1 leads on to state 2.
    let example = machine(&[either(1, 2), either(2, 2), either(0, 0)]);
    let spec = properties("assert one: G F at1; assert two: G F at2;");
    let answer = run(&example, Some(&spec), &only_the_choice(&example));
    assert_eq!(offered(&example.netlist, &answer), ["choice := 0"]);
}

/// As on the right, but three steps lead back to state 0.
const IN_THREE_STEPS: [[[usize; 2]; 2]; 4] =
    [either(1, 2), either(3, 3), either(3, 3), either(0, 0)];

/// The answer for this machine with more in the design, of which no property speaks.
fn answer_beside(add: impl FnOnce(&mut Design, Literal)) -> Answer {
    let example = machine_beside(&IN_THREE_STEPS, add);
    let spec = properties("assert one: G F at1; assert two: G F at2;");
    run(&example, Some(&spec), &only_the_choice(&example))
}

#[test]
fn a_latch_without_effect_can_be_the_memory() {
    let answer = answer_beside(|_, _| {});
    assert_eq!(answer.locations.only_with_memory.len(), 1);
    let answer = answer_beside(|design, _| {
        let toggle = design.add_latch(Reset::Zero);
        design.set_next(toggle, !toggle.literal());
    });
    assert_eq!(answer.repairs.len(), 1);
    assert_eq!(functions(&answer.repairs[0]).added_registers(), 0);
}

/// What may be read is a gate behind the latch, and not the latch.
#[test]
fn a_gate_can_show_a_latch_without_effect() {
    let example = machine_beside(&IN_THREE_STEPS, |design, _| {
        let toggle = design.add_latch(Reset::Zero);
        design.set_next(toggle, !toggle.literal());
        let shown = design.add_gate(toggle.literal(), toggle.literal());
        design.set_name(shown, "shown");
    });
    let design = example.netlist.design();
    let is_shown = |id: &NodeId| design.name(*id) == Some("shown");
    let options = GameOptions {
        depends_on: Some(design.node_ids().filter(is_shown).collect()),
        ..only_the_choice(&example)
    };
    let spec = properties("assert one: G F at1; assert two: G F at2;");
    let answer = run(&example, Some(&spec), &options);
    assert_eq!(offered(&example.netlist, &answer).len(), 1);
}

#[test]
fn a_latch_that_the_environment_can_stop_is_no_memory() {
    let answer = answer_beside(|design, input| {
        let follower = design.add_latch(Reset::Zero);
        design.set_next(follower, input);
    });
    assert!(answer.repairs.is_empty());
    assert_eq!(answer.locations.only_with_memory.len(), 1);
}

#[test]
fn latches_that_are_too_many_to_follow_leave_it_open() {
    let answer = answer_beside(|design, input| {
        let mut last = input;
        for _ in 0..100 {
            let latch = design.add_latch(Reset::Zero);
            design.set_next(latch, last);
            last = latch.literal();
        }
    });
    assert!(answer.repairs.is_empty());
    assert_eq!(answer.locations.undecided.len(), 1);
}

/// In the manner of Fig. 9: the environment goes from 0 to 1 or 2, both lead to 3, where the
/// system turns to 4 or 5. Who came through 1 has to see 6, who came through 2 has to see 7.
/// 4 leads to 6 and then 7, 5 to 7 and then 6: either way serves both, but the shortest
/// ways differ.
#[test]
fn figure_9_the_search_finds_what_the_attractor_misses() {
    let example = machine(&[
        any(1, 2),
        either(3, 3),
        either(3, 3),
        either(4, 5),
        either(6, 6),
        either(7, 7),
        any(7, 7),
        any(6, 6),
    ]);
    let spec = properties("assert first: X (at1 -> F at6); assert second: X (at2 -> F at7);");
    let answer = run(&example, Some(&spec), &only_the_choice(&example));
    assert_eq!(answer.repairs.len(), 1);
}
