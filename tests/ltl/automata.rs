//! Conditions on netlists against the formulas that they were made of: on random runs, and as
//! languages by the model checker's own tableau.

use crate::support::{Shape, check_formulas, random_lasso, seed};
use respin::certify::{self, Semantics, Verdict};
use respin::design::{Design, InputKind, Literal, Simulator};
use respin::expr::{Expr, ExprKind, Role, TemporalBinary, TemporalUnary};
use respin::game::emerson_lei::build::{Builder, Memory};
use respin::game::emerson_lei::condition::{Colours, Objective};
use respin::game::emerson_lei::tree::Tree;
use respin::random::Random;
use respin::spec::automaton::Limits;
use respin::spec::automaton::stable::{guesses, stable_monitor};
use respin::spec::normal_form::negation_normal_form;
use respin::spec::{FormulaId, Formulas, Lasso, Property, Spec};
use std::collections::HashMap;

const NAMES: [&str; 3] = ["a", "b", "c"];

/// What is larger takes long, and shows nothing that small ones do not.
pub const LIMITS: Limits = Limits {
    states: 300,
    nodes: 20_000,
    clauses: 60,
};

pub fn future(depth: usize) -> Shape {
    Shape {
        unary: vec![
            TemporalUnary::Next,
            TemporalUnary::Finally,
            TemporalUnary::Globally,
        ],
        binary: vec![
            TemporalBinary::Until,
            TemporalBinary::WeakUntil,
            TemporalBinary::Release,
            TemporalBinary::StrongRelease,
        ],
        negate_anything: true,
        depth,
        atoms: 3,
    }
}

/// A formula as an objective; nothing if it is too big or there is no game of it.
fn objective(
    formulas: &Formulas,
    formula: FormulaId,
    memory: Memory,
    strictly: bool,
) -> Option<(Design, Objective)> {
    let mut design = Design::new();
    for name in NAMES {
        let input = design.add_input(InputKind::Environment);
        design.set_name(input, name);
    }
    let mut builder = Builder::new(design, formulas.clone(), memory, LIMITS);
    let condition = builder.formula(formula).ok()?;
    let mut design = builder.design;
    let objective = if strictly {
        condition.finish_strictly(&mut design)
    } else {
        condition.finish(&mut design)
    };
    Some((design, objective))
}

/// Whether a run satisfies an objective.
fn accepts(design: &Design, objective: &Objective, lasso: &Lasso) -> bool {
    let mut simulator = Simulator::new(design).expect("the netlist has no loop");
    simulator.start(|_| 0);
    let colours = objective.colours.literals();
    let inputs: HashMap<_, usize> = design.inputs().iter().copied().zip(0..).collect();
    let mut seen: HashMap<(usize, Vec<bool>), usize> = HashMap::new();
    let mut steps: Vec<Vec<bool>> = Vec::new();
    let mut position = 0;
    loop {
        let holds = |place: usize| lasso.step(position).get(place).copied().unwrap_or(false);
        simulator.settle(|id| u64::from(holds(inputs[&id])));
        let value = |literal: Literal| simulator.value(literal) & 1 == 1;
        let latches = design.latches().iter().map(|id| value(id.literal()));
        let state = (position, latches.collect());
        if let Some(start) = seen.get(&state) {
            let cycle = &steps[*start..];
            let seen: Vec<bool> = (0..colours.len())
                .map(|colour| cycle.iter().any(|step| step[colour]))
                .collect();
            return holds_in_the_long_run(&objective.colours, &seen, &mut 0);
        }
        seen.insert(state, steps.len());
        if value(objective.won) {
            return true;
        }
        if !value(objective.invariant) {
            return false;
        }
        steps.push(colours.iter().map(|colour| value(*colour)).collect());
        simulator.advance();
        position = lasso.successor(position);
    }
}

fn holds_in_the_long_run(condition: &Colours, seen: &[bool], next: &mut usize) -> bool {
    let mut colour = || {
        *next += 1;
        seen[*next - 1]
    };
    match condition {
        Colours::Constant(value) => *value,
        Colours::Seen(_) => colour(),
        Colours::Unseen(_) => !colour(),
        Colours::And(parts) | Colours::Or(parts) => {
            let values: Vec<bool> = parts
                .iter()
                .map(|part| holds_in_the_long_run(part, seen, next))
                .collect();
            if matches!(condition, Colours::And(_)) {
                values.iter().all(|value| *value)
            } else {
                values.iter().any(|value| *value)
            }
        }
    }
}

/// Checks each of so many random formulas of up to 15 operators and atoms; a larger one that
/// the generator gives is left out, and not counted.
pub fn check_small(
    count: usize,
    shape: &Shape,
    check: &dyn Fn(&mut Formulas, FormulaId) -> Option<String>,
) {
    let checked = std::cell::Cell::new(0);
    check_formulas(2 * count, shape, &|formulas, formula| {
        if formulas.size(formula) > 15 || checked.get() == count {
            return None;
        }
        checked.set(checked.get() + 1);
        let problem = check(formulas, formula);
        if problem.is_some() {
            // What fails is made smaller, and that does not count.
            checked.set(0);
        }
        problem
    });
    assert_eq!(
        checked.get(),
        count,
        "the generator gives too few small formulas"
    );
}

/// The runs on which a formula is tried.
pub fn runs(formulas: &Formulas, formula: FormulaId) -> Vec<Lasso> {
    let mut random = Random::new(seed().wrapping_add(formulas.size(formula) as u64));
    (0..6)
        .map(|_| random_lasso(&mut random, NAMES.len()))
        .collect()
}

fn compare(memory: Memory, formulas: &mut Formulas, id: FormulaId) -> Option<String> {
    let (design, objective) = objective(formulas, id, memory, false)?;
    runs(formulas, id).into_iter().find_map(|run| {
        let wanted = run.satisfies(formulas, id);
        let found = accepts(&design, &objective, &run);
        let text = run.text(formulas);
        (wanted != found).then(|| format!("holds: {wanted}, condition: {found} on\n{text}"))
    })
}

#[test]
fn conditions_with_remembered_signals_hold_where_formulas_do() {
    check_small(3000, &future(4), &|formulas, formula| {
        compare(Memory::Signals, formulas, formula)
    });
}

#[test]
fn conditions_with_remembered_conditions_hold_where_formulas_do() {
    check_small(3000, &future(4), &|formulas, formula| {
        compare(Memory::Conditions, formulas, formula)
    });
}

#[test]
fn conditions_with_remembered_steps_hold_where_formulas_do() {
    check_small(3000, &future(4), &|formulas, formula| {
        compare(Memory::Steps, formulas, formula)
    });
    // Disjunctions whose parts are about several steps, from the first step on.
    check_small(1000, &future(2), &|formulas, formula| {
        let next = formulas.next(formula);
        let other = formulas.not(formula);
        let later = formulas.next(next);
        let formula = formulas.or([other, later]);
        let formula = formulas.globally(formula);
        compare(Memory::Steps, formulas, formula)
    });
}

#[test]
fn conditions_with_past_operators_hold_where_formulas_do() {
    check_small(1000, &Shape::past(3), &|formulas, past| {
        for operator in [TemporalUnary::Globally, TemporalUnary::Finally] {
            let next = formulas.next(past);
            let formula = formulas.or([past, next]);
            let formula = formulas.unary(operator, formula);
            let problem = compare(Memory::Signals, formulas, formula);
            if problem.is_some() {
                return problem;
            }
        }
        None
    });
}

#[test]
fn few_random_formulas_are_too_big() {
    let given_up = std::cell::Cell::new(0);
    check_small(1000, &future(4), &|formulas, formula| {
        let found = objective(formulas, formula, Memory::Signals, false);
        given_up.set(given_up.get() + usize::from(found.is_none()));
        None
    });
    let given_up = given_up.get();
    assert!(given_up <= 20, "{given_up} of 1000 formulas are given up");
}

#[test]
fn strict_conditions_hold_only_where_formulas_do() {
    check_small(2000, &future(4), &|formulas, formula| {
        let (design, strict) = objective(formulas, formula, Memory::Signals, true)?;
        runs(formulas, formula).into_iter().find_map(|run| {
            let found = accepts(&design, &strict, &run);
            let text = run.text(formulas);
            (found && !run.satisfies(formulas, formula)).then(|| format!("won on\n{text}"))
        })
    });
}

/// The guesses about the long run, with their monitors, without taking anything apart.
#[test]
fn some_guess_about_the_long_run_is_right_exactly_where_the_formula_holds() {
    check_small(3000, &future(3), &|formulas, formula| {
        let formula = negation_normal_form(formulas, formula);
        let mut cases = Vec::new();
        for guess in guesses(formulas, formula).ok()? {
            let monitor = stable_monitor(formulas, formula, &guess.again, &LIMITS).ok()?;
            let mut parts = Vec::new();
            for recurring in guess.recurring {
                let part = formulas.finally(recurring);
                parts.push(formulas.globally(part));
            }
            for lasting in guess.lasting {
                let part = formulas.globally(lasting);
                parts.push(formulas.finally(part));
            }
            cases.push((monitor, parts));
        }
        runs(formulas, formula).into_iter().find_map(|run| {
            let found = cases.iter().any(|(monitor, parts)| {
                let mut parts = parts.iter();
                parts.all(|part| run.satisfies(formulas, *part)) && !monitor.accepts(formulas, &run)
            });
            let wanted = run.satisfies(formulas, formula);
            let text = run.text(formulas);
            (wanted != found).then(|| format!("holds: {wanted}, guessed: {found} on\n{text}"))
        })
    });
}

/// The deterministic condition and the nondeterministic tableau of the model checker accept
/// the same runs.
#[test]
fn conditions_and_tableaus_have_the_same_language() {
    check_small(300, &future(3), &|formulas, formula| {
        let (mut design, objective) = objective(formulas, formula, Memory::Signals, false)?;
        // The equivalence has all of it on both sides of the model checker's product.
        if objective.colours.literals().len() + design.latches().len() > 9 {
            return None;
        }
        let mut formulas = formulas.clone();
        let mut signal = |formulas: &mut Formulas, name: String, literal: Literal| {
            design.add_output(Some(name.clone()), literal, None);
            formulas.condition_atom(&Expr {
                kind: ExprKind::Name(vec![name]),
                span: None,
            })
        };
        let won = signal(&mut formulas, "won".to_string(), objective.won);
        let kept = signal(&mut formulas, "kept".to_string(), objective.invariant);
        let mut again = Vec::new();
        for (number, literal) in objective.colours.literals().into_iter().enumerate() {
            let colour = signal(&mut formulas, format!("colour{number}"), literal);
            let often = formulas.finally(colour);
            again.push(formulas.globally(often));
        }
        let in_the_end = long_run(&mut formulas, &objective.colours, &again, &mut 0);
        let always = formulas.globally(kept);
        let in_the_end = formulas.and([always, in_the_end]);
        let at_once = formulas.binary(TemporalBinary::Until, kept, won);
        let condition = formulas.or([in_the_end, at_once]);
        let same = formulas.iff(condition, formula);
        let spec = Spec {
            antecedents: Vec::new(),
            properties: vec![Property {
                role: Role::Assert,
                name: "same".to_string(),
                is_named: true,
                span: None,
                formula: same,
            }],
            formulas,
        };
        let options = certify::Options {
            semantics: Semantics::Implication,
            ..certify::Options::default()
        };
        let verdicts = certify::check(&design, &spec, &options).expect("the design is complete");
        match &verdicts[0].1 {
            Verdict::Holds => None,
            other => Some(format!("{other:?}")),
        }
    });
}

fn long_run(
    formulas: &mut Formulas,
    condition: &Colours,
    again: &[FormulaId],
    next: &mut usize,
) -> FormulaId {
    let mut colour = || {
        *next += 1;
        again[*next - 1]
    };
    match condition {
        Colours::Constant(value) => formulas.constant(*value),
        Colours::Seen(_) => colour(),
        Colours::Unseen(_) => {
            let colour = colour();
            formulas.not(colour)
        }
        Colours::And(parts) | Colours::Or(parts) => {
            let parts: Vec<FormulaId> = parts
                .iter()
                .map(|part| long_run(formulas, part, again, next))
                .collect();
            if matches!(condition, Colours::And(_)) {
                formulas.and(parts)
            } else {
                formulas.or(parts)
            }
        }
    }
}

/// The tree by its definition: the largest subsets of the other kind, from all subsets.
fn tree_by_definition(condition: &Colours, colours: u128) -> Tree {
    let holds = |set: u128| {
        let seen: Vec<bool> = (0..condition.literals().len())
            .map(|colour| set >> colour & 1 == 1)
            .collect();
        holds_in_the_long_run(condition, &seen, &mut 0)
    };
    let own = holds(colours);
    let mut others: Vec<u128> = (0..colours)
        .filter(|set| set & !colours == 0 && holds(*set) != own)
        .collect();
    let all = others.clone();
    others.retain(|set| !all.iter().any(|other| other != set && set & !other == 0));
    Tree {
        colours,
        is_good: own,
        children: others
            .into_iter()
            .map(|set| tree_by_definition(condition, set))
            .collect(),
    }
}

fn random_colours(random: &mut Random, next: &mut usize, depth: usize) -> Colours {
    if depth == 0 || random.below(4) == 0 {
        *next += 1;
        let literal = Literal::from_code(2 * *next as u32);
        return if random.flip() {
            Colours::Seen(literal)
        } else {
            Colours::Unseen(literal)
        };
    }
    let parts: Vec<Colours> = (0..2 + random.below(2))
        .map(|_| random_colours(random, next, depth - 1))
        .collect();
    if random.flip() {
        Colours::And(parts)
    } else {
        Colours::Or(parts)
    }
}

fn sorted(mut tree: Tree) -> Tree {
    tree.children = tree.children.into_iter().map(sorted).collect();
    tree.children.sort_by_key(|child| child.colours);
    tree
}

#[test]
fn trees_are_what_their_definition_says() {
    let seed = seed();
    for case in 0..400 {
        let mut random = Random::new(seed.wrapping_add(case));
        let mut count = 0;
        let condition = random_colours(&mut random, &mut count, 3);
        if count > 8 {
            continue;
        }
        let found = Tree::new(&condition, false).expect("a small tree");
        let wanted = tree_by_definition(&condition, (1 << count) - 1);
        assert_eq!(
            sorted(found),
            sorted(wanted),
            "seed {seed}, case {case}: {condition:?}"
        );
    }
}
