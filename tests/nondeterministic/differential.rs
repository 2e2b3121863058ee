//! Random designs and formulas: what the product wins, the model checker confirms; the game
//! of any property says just what the model checker says.

use super::graph::random_circuit;
use super::support::{Circuit, read};
use super::tree::{Operators, Tree};
use super::{is_won, properties};
use respin::bdd::Limits;
use respin::certify::{self, Options, Verdict};
use respin::design::{Design, InputKind, Node};
use respin::expr::Role;
use respin::game::emerson_lei::of_design::EmersonLeiArena;
use respin::game::{Arena, Game, ObjectiveError};
use respin::random::Random;
use respin::spec::class::classify;
use respin::spec::{Class, Spec};

#[derive(Clone)]
struct Case {
    circuit: Circuit,
    assumptions: Vec<Tree>,
    assertion: Tree,
}

impl Case {
    fn random(seed: u64) -> Case {
        let mut random = Random::new(seed);
        let inputs = random.below(3);
        let latches = random.below(4).max(usize::from(inputs == 0));
        let gates = random.below(10);
        let circuit = random_circuit(&mut random, inputs, latches, gates);
        let signals = signals(&circuit).len();
        let assumptions = (0..random.below(3)).map(|_| {
            // Formulas that the two sides judge alike: one that is only equivalent to a safe
            // one is safe for the game and not for the checker.
            let operators = ["", "G", "GF", "FG", "F"][random.below(5)];
            let atom = Tree::Atom(random.below(signals));
            let wrap = |inner, letter| Tree::Unary(letter, Box::new(inner));
            operators.chars().rev().fold(atom, wrap)
        });
        let assumptions = assumptions.collect();
        let size = 1 + random.below(8);
        let assertion = Tree::random(&mut random, size, signals, Operators::All, false);
        Case {
            circuit,
            assumptions,
            assertion,
        }
    }

    fn text(&self) -> String {
        let names: Vec<String> = (0..signals(&self.circuit).len())
            .map(|place| format!("s{place}"))
            .collect();
        let mut text = String::new();
        for assumption in &self.assumptions {
            text.push_str(&format!("assume {};\n", assumption.text(&names)));
        }
        text + &format!("assert {};\n", self.assertion.text(&names))
    }

    fn design(&self) -> Design {
        let mut circuit = self.circuit.clone();
        circuit.outputs = signals(&circuit);
        let count = circuit.outputs.len();
        circuit.symbols = (0..count)
            .map(|place| format!("o{place} s{place}"))
            .collect();
        read(circuit.text()).design
    }

    fn smaller(&self) -> Vec<Case> {
        let mut found = Vec::new();
        for place in 0..self.assumptions.len() {
            let mut case = self.clone();
            case.assumptions.remove(place);
            found.push(case);
        }
        for assertion in self.assertion.smaller() {
            found.push(Case {
                assertion,
                ..self.clone()
            });
        }
        for place in 0..self.circuit.gates.len() {
            let (gate, left, right) = self.circuit.gates[place];
            for simpler in [(gate, 0, 0), (gate, left, 1), (gate, right, 1)] {
                if simpler != self.circuit.gates[place] {
                    let mut case = self.clone();
                    case.circuit.gates[place] = simpler;
                    found.push(case);
                }
            }
        }
        found
    }
}

/// Inputs, latches, and a few of the gates.
fn signals(circuit: &Circuit) -> Vec<u32> {
    let latches = circuit.latches.iter().map(|(latch, ..)| *latch);
    let gates = circuit.gates.iter().rev().take(2).map(|(gate, ..)| *gate);
    let inputs = circuit.inputs.iter().copied();
    inputs.chain(latches).chain(gates).collect()
}

/// Checks many cases and shows a small one that fails. Gives back how often the check had
/// something to say, by what it said.
fn check_seeds<const N: usize>(
    seeds: std::ops::Range<u64>,
    check: impl Fn(&Case) -> Result<Option<usize>, String>,
) -> [usize; N] {
    let mut counts = [0; N];
    for seed in seeds {
        let mut case = Case::random(seed);
        match check(&case) {
            Ok(kind) => kind.into_iter().for_each(|kind| counts[kind] += 1),
            Err(mut message) => {
                for _ in 0..200 {
                    let smaller = case.smaller().into_iter();
                    let mut failing = smaller.filter_map(|case| Some((check(&case).err()?, case)));
                    match failing.next() {
                        Some(found) => (message, case) = found,
                        None => break,
                    }
                }
                let circuit = case.circuit.text();
                panic!("seed {seed}: {message}\n{}{circuit}", case.text());
            }
        }
    }
    counts
}

/// Whether a case with a real guess was won (0), lost though the property holds (1), or lost
/// rightly (2).
fn is_sound(case: &Case) -> Result<Option<usize>, String> {
    let spec = properties(&case.text());
    let design = case.design();
    let arena = Arena::nondeterministic(design.clone(), &spec).map_err(|e| format!("{e:?}"))?;
    let verdicts =
        certify::check(&design, &spec, &Options::default()).map_err(|e| format!("{e:?}"))?;
    let holds = verdicts
        .iter()
        .all(|(_, verdict)| *verdict == Verdict::Holds);
    match (is_won(&arena), holds) {
        (true, false) => Err("the game is won, but the property fails".to_string()),
        _ if arena.automaton_choices.is_empty() => Ok(None),
        (true, true) => Ok(Some(0)),
        (false, true) => Ok(Some(1)),
        (false, false) => Ok(Some(2)),
    }
}

#[test]
fn what_the_product_wins_holds() {
    let [won, unknown, lost] = check_seeds(0..8000, is_sound);
    assert!(
        won >= 200 && unknown >= 15 && lost >= 200,
        "{won} won, {unknown} unknown, {lost} lost"
    );
}

/// As the case says, but the first input is the system's.
fn is_exact(case: &Case) -> Result<Option<usize>, String> {
    let spec = properties(&case.text());
    let mut design = case.design();
    if let Some(&input) = design.inputs().first() {
        design.replace(input, Node::Input(InputKind::Choice));
    }
    let exact = match Arena::new(design.clone(), &spec) {
        Ok(arena) => arena,
        Err(ObjectiveError::NotSupported { .. }) => return Ok(None),
        Err(error) => return Err(format!("{error:?}")),
    };
    let arena = Arena::nondeterministic(design, &spec).map_err(|e| format!("{e:?}"))?;
    match (is_won(&arena), is_won(&exact)) {
        (true, false) => Err("only the product is won".to_string()),
        (false, true) if arena.automaton_choices.is_empty() => {
            Err("only the deterministic game is won".to_string())
        }
        (false, true) => Ok(Some(0)),
        (true, true) => Ok(Some(1)),
        (false, false) => Ok(Some(2)),
    }
}

#[test]
fn without_guesses_the_game_is_the_deterministic_one() {
    let [_, won, lost] = check_seeds(10_000..12_000, is_exact);
    assert!(won >= 200 && lost >= 200, "{won} won, {lost} lost");
}

fn is_won_generally(design: Design, spec: &Spec) -> Result<Option<bool>, String> {
    let general = match EmersonLeiArena::new(design, spec) {
        Ok(general) => general,
        Err(ObjectiveError::NotSupported { .. }) => return Ok(None),
        Err(error) => return Err(format!("{error:?}")),
    };
    let game = Game::new(&general.arena, Limits::default()).map_err(|e| e.to_string())?;
    let good = general.good_choices(&game).map_err(|e| e.to_string())?;
    Ok(Some(!good.is_zero()))
}

/// `F false` is simplified to what is safe, and then no breach of an assumption excuses it
/// any more; the checker takes formulas as they are written.
fn may_be_judged_apart(spec: &Spec) -> bool {
    let mut spec = spec.clone();
    let conjuncts = spec.conjuncts().into_iter();
    let mut asserted = conjuncts.filter(|one| one.role == Role::Assert);
    let mut formulas = spec.formulas.clone();
    asserted.any(|one| {
        let written = spec.properties[one.property].formula;
        one.class == Class::Safety && classify(&mut formulas, written) != Class::Safety
    })
}

/// Without choices the game of any property is a question of truth.
fn is_truth(case: &Case) -> Result<Option<usize>, String> {
    let spec = properties(&case.text());
    let design = case.design();
    let Some(won) = is_won_generally(design.clone(), &spec)? else {
        return Ok(Some(2));
    };
    let verdicts =
        certify::check(&design, &spec, &Options::default()).map_err(|e| format!("{e:?}"))?;
    let holds = verdicts
        .iter()
        .all(|(_, verdict)| *verdict == Verdict::Holds);
    match (won, holds) {
        (true, true) => Ok(Some(0)),
        (false, false) => Ok(Some(1)),
        (false, true) if may_be_judged_apart(&spec) => Ok(None),
        _ => Err(format!(
            "the game is won: {won}, the property holds: {holds}"
        )),
    }
}

#[test]
fn the_game_of_any_property_is_exact() {
    let [won, lost, too_big] = check_seeds(20_000..24_000, is_truth);
    assert!(
        won >= 1_000 && lost >= 1_000 && too_big <= 4,
        "{won} won, {lost} lost, {too_big} too big"
    );
}

/// As the case says, but the first input is the system's.
fn is_the_other_game(case: &Case) -> Result<Option<usize>, String> {
    let spec = properties(&case.text());
    let mut design = case.design();
    if let Some(&input) = design.inputs().first() {
        design.replace(input, Node::Input(InputKind::Choice));
    }
    let exact = match Arena::new(design.clone(), &spec) {
        Ok(arena) => is_won(&arena),
        Err(ObjectiveError::NotSupported { .. }) => return Ok(None),
        Err(error) => return Err(format!("{error:?}")),
    };
    match is_won_generally(design, &spec)? {
        Some(won) if won != exact => Err(format!("won: {won}, by recurrences: {exact}")),
        Some(won) => Ok(Some(usize::from(won))),
        None => Ok(None),
    }
}

#[test]
fn the_game_of_any_property_is_that_of_recurrences_where_both_are() {
    let [lost, won] = check_seeds(30_000..32_000, is_the_other_game);
    assert!(won >= 200 && lost >= 200, "{won} won, {lost} lost");
}
