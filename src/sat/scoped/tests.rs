//! Random questions, against a look at all values and against the other solver.

use super::Scoped;
use crate::random::Random;
use crate::sat::{Answer, BatSat, Literal, Meter, Solver};

const VARIABLES: u32 = 9;

fn random_clause(random: &mut Random, variables: u32, length: usize) -> Vec<Literal> {
    let literal = |random: &mut Random| {
        let variable = random.below(variables as usize) as u32;
        Literal::new(variable, random.flip())
    };
    (0..length).map(|_| literal(random)).collect()
}

/// A clause or an assumption of a question, with the variables that a solver has made.
fn moved(literals: &[Literal], own: &[Literal]) -> Vec<Literal> {
    let literals = literals.iter();
    literals
        .map(|one| own[one.variable() as usize].negate_if(one.is_negated()))
        .collect()
}

fn is_satisfiable(clauses: &[Vec<Literal>], assumed: &[Literal]) -> bool {
    (0..1u32 << VARIABLES).any(|values| {
        let holds = |one: &Literal| (values >> one.variable() & 1 == 1) != one.is_negated();
        assumed.iter().all(holds) && clauses.iter().all(|clause| clause.iter().any(holds))
    })
}

#[test]
fn answers_are_those_of_a_look_at_all_values() {
    let mut random = Random::new(5);
    let (mut satisfiable, mut not) = (0, 0);
    for _ in 0..300 {
        let mut solver = Scoped::new(Meter::new(|| false));
        let own: Vec<Literal> = (0..VARIABLES).map(|_| solver.new_variable()).collect();
        let mut clauses = Vec::new();
        for _ in 0..12 {
            for _ in 0..random.below(5) {
                let length = 1 + random.below(4);
                let clause = random_clause(&mut random, VARIABLES, length.max(2));
                solver.add_clause(&moved(&clause, &own));
                clauses.push(clause);
            }
            let length = random.below(4);
            let mut assumed = random_clause(&mut random, VARIABLES, length);
            assumed.sort_unstable();
            assumed.dedup();
            let clause = random
                .flip()
                .then(|| random_clause(&mut random, VARIABLES, 2));
            solver.begin_scope();
            solver.include_all();
            let temporary = clause.as_ref().map(|clause| moved(clause, &own));
            let answer = solver.solve_within(&moved(&assumed, &own), temporary.as_deref());
            let mut all = clauses.clone();
            all.extend(clause);
            let expected = is_satisfiable(&all, &assumed);
            assert_eq!(answer == Answer::Satisfiable, expected);
            if expected {
                satisfiable += 1;
                let holds = |one: &Literal| solver.value(moved(&[*one], &own)[0]);
                assert!(assumed.iter().all(holds));
                assert!(all.iter().all(|clause| clause.iter().any(holds)));
            } else {
                not += 1;
                let needed = |one: &&Literal| solver.is_in_core(moved(&[**one], &own)[0]);
                let core: Vec<Literal> = assumed.iter().filter(needed).copied().collect();
                assert!(!is_satisfiable(&all, &core));
            }
        }
    }
    assert!(satisfiable > 500 && not > 500, "{satisfiable} and {not}");
}

/// Harder questions, so that there are restarts, and clauses are forgotten and moved.
#[test]
fn answers_are_those_of_the_other_solver() {
    let mut random = Random::new(9);
    let mut conflicts = 0;
    for _ in 0..6 {
        let meter = Meter::new(|| false);
        let mut solver = Scoped::new(meter.clone());
        let mut other = BatSat::new(Meter::new(|| false));
        let variables = 120;
        let own: Vec<Literal> = (0..variables).map(|_| solver.new_variable()).collect();
        let others: Vec<Literal> = (0..variables).map(|_| other.new_variable()).collect();
        for _ in 0..480 {
            let clause = random_clause(&mut random, variables, 3);
            solver.add_clause(&moved(&clause, &own));
            other.add_clause(&moved(&clause, &others));
        }
        for _ in 0..60 {
            let mut assumed = random_clause(&mut random, variables, 4);
            assumed.sort_unstable();
            assumed.dedup();
            let answer = solver.solve(&moved(&assumed, &own));
            assert_eq!(answer, other.solve(&moved(&assumed, &others)));
            let needed = |one: &&Literal| solver.is_in_core(moved(&[**one], &own)[0]);
            if answer == Answer::Unsatisfiable {
                let core: Vec<Literal> = assumed.iter().filter(needed).copied().collect();
                let again = other.solve(&moved(&core, &others));
                assert_eq!(again, Answer::Unsatisfiable);
            }
        }
        conflicts += meter.used();
    }
    assert!(conflicts > 100_000, "{conflicts}");
}

/// Gates that nothing in the scope depends on get no values, and what is learnt about some of
/// them holds for all later questions.
#[test]
fn questions_within_a_scope_agree_with_those_about_all() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let mut solver = Scoped::new(Meter::new(|| false));
        let mut other = BatSat::new(Meter::new(|| false));
        let mut own: Vec<Literal> = (0..6).map(|_| solver.new_variable()).collect();
        let mut others: Vec<Literal> = (0..6).map(|_| other.new_variable()).collect();
        let mut operands: Vec<Option<[Literal; 2]>> = vec![None; 6];
        for _ in 0..30 {
            let pair = random_clause(&mut random, own.len() as u32, 2);
            let (gate, same) = (solver.new_dependent(), other.new_dependent());
            for (solver, list, gate) in [
                (&mut solver as &mut dyn Solver, &own, gate),
                (&mut other as &mut dyn Solver, &others, same),
            ] {
                let [left, right] = [moved(&pair, list)[0], moved(&pair, list)[1]];
                solver.add_clause(&[!gate, left]);
                solver.add_clause(&[!gate, right]);
                solver.add_clause(&[gate, !left, !right]);
            }
            operands.push(Some([pair[0], pair[1]]));
            own.push(gate);
            others.push(same);
        }
        for _ in 0..40 {
            let assumed = random_clause(&mut random, own.len() as u32, 3);
            solver.begin_scope();
            let mut pending = assumed.clone();
            while let Some(one) = pending.pop() {
                let index = one.variable() as usize;
                if solver.include(own[index].variable()) {
                    pending.extend(operands[index].into_iter().flatten());
                }
            }
            let answer = solver.solve_within(&moved(&assumed, &own), None);
            assert_eq!(answer, other.solve(&moved(&assumed, &others)));
        }
    }
}
