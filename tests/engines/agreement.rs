//! Random designs and formulas: diagrams and SAT say the same.
//!
//! Small designs have every kind of formula, also assumptions and both semantics. Bigger ones
//! have invariants, some of which hold for reasons that have to be found, and responses, also
//! under fairness. What is said of the assumptions is compared, too. The traces were replayed by `certify` before they came here; where a violation shows in finitely
//! many steps, both are shortest, so their lengths are compared as well.

use super::case::{Case, shrink, signals};
use super::cases::cases;
use super::graph::random_circuit;
use super::seed::given_seed;
use super::tree::{Operators, Tree};
use respin::certify::{AssumptionStatus, Engine, Options, Semantics, Verdict};
use respin::random::Random;

/// Of each kind in a usual run.
const USUAL: u64 = 600;

fn verdict(case: &Case, engine: Engine) -> Result<Option<Verdict>, String> {
    case.verdict(Options {
        engine,
        ..Options::default()
    })
}

/// What the engines do not agree on, if anything. Gives whether the assertion holds.
fn check(case: &Case) -> Result<bool, String> {
    let diagrams = verdict(case, Engine::Bdd)?;
    let sat = verdict(case, Engine::Sat)?;
    let single = case.assertion.normal(true).parts().len() == 1;
    match (&diagrams, &sat) {
        (None, None) => Ok(true),
        (Some(Verdict::Holds), Some(Verdict::Holds)) => Ok(true),
        (Some(Verdict::Fails(left)), Some(Verdict::Fails(right))) => {
            // Of several parts, either engine may give any that fails.
            let comparable = single && !left.is_infinite();
            if single && left.is_infinite() != right.is_infinite() {
                return Err("one trace is infinite, the other one is not".to_owned());
            }
            if comparable && left.len() != right.len() {
                let lengths = (left.len(), right.len());
                return Err(format!("traces of {lengths:?} steps: one is not shortest"));
            }
            Ok(false)
        }
        _ => Err(format!("diagrams: {diagrams:?}\nSAT: {sat:?}")),
    }
}

/// At least a tenth of the cases holds, and at least a tenth fails.
fn check_seeds(first: u64, make: impl Fn(u64) -> Case) {
    check_seeds_with(first, make, check);
}

fn check_seeds_with(
    first: u64,
    make: impl Fn(u64) -> Case,
    check: impl Fn(&Case) -> Result<bool, String> + Copy,
) {
    let seeds = match given_seed() {
        Some(seed) => seed..seed + 1,
        None => first..first + cases(USUAL),
    };
    let all = seeds.end - seeds.start;
    let mut holding = 0;
    for seed in seeds {
        let case = make(seed);
        match check(&case) {
            Ok(holds) => holding += u64::from(holds),
            Err(message) => {
                let (case, message) = shrink(case, message, check);
                panic!("seed {seed}: {message}\n{}", case.text());
            }
        }
    }
    if all > 100 {
        assert!(holding >= all / 10, "only {holding} of {all} hold");
        assert!(all - holding >= all / 10, "{holding} of {all} hold");
    }
}

/// A circuit with some more state than an oracle could enumerate, and a formula under `G`.
fn bigger(seed: u64, make: impl Fn(&mut Random, usize) -> Tree) -> Case {
    let mut random = Random::new(seed);
    let inputs = 1 + random.below(4);
    let latches = 4 + random.below(9);
    let gates = 10 + random.below(50);
    let circuit = random_circuit(&mut random, inputs, latches, gates);
    let atoms = signals(&circuit).len();
    let body = make(&mut random, atoms);
    let mut assumptions = Vec::new();
    if random.below(4) == 0 {
        let condition = Tree::random(&mut random, 3, atoms, Operators::Past, false);
        assumptions.push(Tree::Unary('G', Box::new(condition)));
    }
    Case {
        circuit,
        assumptions,
        assertion: Tree::Unary('G', Box::new(body)),
        semantics: Semantics::Strict,
    }
}

/// Fairness is assumed of one to three signals, and nothing else.
fn fair(seed: u64, make: impl Fn(&mut Random, usize) -> Tree) -> Case {
    let mut case = bigger(seed, make);
    let atoms = signals(&case.circuit).len();
    let mut random = Random::new(seed ^ 0x5eed);
    case.assumptions = (0..1 + random.below(3))
        .map(|_| {
            let condition = Tree::random(&mut random, 2, atoms, Operators::Past, false);
            let again = Tree::Unary('F', Box::new(condition));
            Tree::Unary('G', Box::new(again))
        })
        .collect();
    if random.below(3) == 0 {
        case.semantics = Semantics::Implication;
    }
    case
}

/// What is known of the assumptions by either engine; the solver may not know.
fn check_assumptions(case: &Case) -> Result<bool, String> {
    let diagrams = case.assumption_status(Engine::Bdd)?;
    let sat = case.assumption_status(Engine::Sat)?;
    let agree = match (&diagrams, &sat) {
        (_, AssumptionStatus::Unknown(_)) => diagrams != AssumptionStatus::Impossible,
        // Any dead end will do.
        (AssumptionStatus::DeadEnds(_), AssumptionStatus::DeadEnds(_)) => true,
        _ => diagrams == sat,
    };
    if agree {
        return Ok(matches!(sat, AssumptionStatus::Possible));
    }
    Err(format!("diagrams: {diagrams:?}\nSAT: {sat:?}"))
}

#[test]
fn assumptions_of_any_kind() {
    check_seeds_with(400_000, |seed| Case::random(seed, 5, 3), check_assumptions);
}

#[test]
fn assumptions_about_steps() {
    let make = |seed| {
        let mut case = bigger(seed, |random, atoms| {
            Tree::random(random, 2, atoms, Operators::Past, false)
        });
        let mut random = Random::new(seed ^ 0xdead);
        let atoms = signals(&case.circuit).len();
        let condition =
            |random: &mut Random| Tree::random(random, 4, atoms, Operators::Past, false);
        case.assumptions = vec![Tree::Unary('G', Box::new(condition(&mut random)))];
        if random.below(3) == 0 {
            let again = Tree::Unary('F', Box::new(condition(&mut random)));
            case.assumptions.push(Tree::Unary('G', Box::new(again)));
        }
        case
    };
    check_seeds_with(500_000, make, check_assumptions);
}

#[test]
fn small_designs_with_any_formula() {
    check_seeds(0, |seed| Case::random(seed, 5, 3));
}

#[test]
fn bigger_designs_with_invariants() {
    check_seeds(100_000, |seed| {
        bigger(seed, |random, atoms| {
            // A clause of several literals holds more often than one signal does.
            let literals = 2 + random.below(4);
            let literal = |random: &mut Random| {
                let atom = Tree::random(random, 1, atoms, Operators::Past, false);
                if random.below(2) == 0 {
                    atom
                } else {
                    atom.not()
                }
            };
            super::tree::or((0..literals).map(|_| literal(random)).collect())
        })
    });
}

#[test]
fn bigger_designs_with_responses() {
    check_seeds(200_000, |seed| {
        bigger(seed, |random, atoms| {
            let request = Tree::random(random, 3, atoms, Operators::Past, false);
            let answer = Tree::random(random, 3, atoms, Operators::Past, false);
            let answered = Tree::Unary('F', Box::new(answer));
            super::tree::or(vec![request.not(), answered])
        })
    });
}

#[test]
fn bigger_designs_with_fairness() {
    check_seeds(300_000, |seed| {
        fair(seed, |random, atoms| {
            let condition = Tree::random(random, 3, atoms, Operators::Past, false);
            let finally = Tree::Unary('F', Box::new(condition));
            if random.below(2) == 0 {
                finally
            } else {
                let request = Tree::random(random, 2, atoms, Operators::Past, false);
                super::tree::or(vec![request.not(), finally])
            }
        })
    });
}
