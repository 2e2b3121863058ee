//! Each pattern of the library against the formula that it stands for.

use crate::runs::{Judge, Run, parse, random, shrink};
use respin::random::Random;
use respin::source::Sources;
use respin::spec::atoms::split_atoms;
use respin::spec::property_file::parse_formula;
use respin::spec::{Formula, FormulaId, Formulas, Lasso};

const NAMES: [&str; 6] = ["p", "q", "r", "s", "t", "z"];

/// For each pattern; more if these are all of one kind.
const RUNS: usize = 2_000;

/// The patterns of the library, with their parameters, and the published formulas.
const PATTERNS: [(&str, &str); 57] = [
    ("respondsTo(p, s)", "G (p -> F s)"),
    ("pRespondsToS(p, s)", "G (p -> F s)"),
    ("P_is_false_globally(p)", "G !p"),
    ("P_is_false_before_R(p, r)", "F r -> (!p U r)"),
    ("P_is_false_after_Q(p, q)", "G (q -> G !p)"),
    (
        "P_is_false_between_Q_and_R(p, q, r)",
        "G ((q & !r & F r) -> (!p U r))",
    ),
    (
        "P_is_false_after_Q_until_R(p, q, r)",
        "G ((q & !r) -> (!p W r))",
    ),
    ("P_is_true_globally(p)", "G p"),
    ("P_is_true_before_R(p, r)", "F r -> (p U r)"),
    ("P_is_true_after_Q(p, q)", "G (q -> G p)"),
    (
        "P_is_true_between_Q_and_R(p, q, r)",
        "G ((q & !r & F r) -> (p U r))",
    ),
    (
        "P_is_true_After_Q_until_R(p, q, r)",
        "G ((q & !r) -> (p W r))",
    ),
    ("P_becomes_true_globally(p)", "F p"),
    ("P_becomes_true_before_R(p, r)", "!r W (p & !r)"),
    ("P_becomes_true_After_Q(q, p)", "(G !q) | F (q & F p)"),
    (
        "P_becomes_true_between_Q_and_R(p, q, r)",
        "G ((q & !r) -> (!r W (p & !r)))",
    ),
    (
        "P_becomes_true_after_Q_until_R(p, q, r)",
        "G ((q & !r) -> (!r U (p & !r)))",
    ),
    (
        "P_occures_at_most_twice_globally(p)",
        "!p W (p W (!p W (p W G !p)))",
    ),
    (
        "P_occures_at_most_twice_before_R(p, r)",
        "F r -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))",
    ),
    (
        "P_occures_at_most_twice_after_Q(p, q)",
        "F q -> (!q U (q & (!p W (p W (!p W (p W G !p))))))",
    ),
    (
        "P_occures_at_most_twice_between_Q_and_R(p, q, r)",
        "G ((q & F r) -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r))))))))))",
    ),
    ("S_precedes_to_P_globally(s, p)", "!p W s"),
    ("S_precedes_to_P_before_R(s, p, r)", "F r -> (!p U (s | r))"),
    (
        "S_precedes_to_P_between_Q_and_R(s, p, q, r)",
        "G ((q & !r & F r) -> (!p U (s | r)))",
    ),
    (
        "S_precedes_to_P_after_Q_until_R(s, p, q, r)",
        "G ((q & !r) -> (!p W (s | r)))",
    ),
    ("S_responds_to_P_globally(s, p)", "G (p -> F s)"),
    (
        "S_responds_to_P_before_R(s, p, r)",
        "F r -> ((p -> (!r U (s & !r))) U r)",
    ),
    ("S_responds_to_P_after_Q(s, p, q)", "G (q -> G (p -> F s))"),
    (
        "S_responds_to_P_between_Q_and_R(s, p, q, r)",
        "G ((q & !r & F r) -> ((p -> (!r U (s & !r))) U r))",
    ),
    (
        "S_responds_to_P_after_Q_until_R(s, p, q, r)",
        "G ((q & !r) -> ((p -> (!r U (s & !r))) W r))",
    ),
    (
        "S_and_T_precedes_to_P_globally(s, t, p)",
        "F p -> (!p U (s & !p & X (!p U t)))",
    ),
    (
        "S_and_T_precedes_to_P_before_R(s, t, p, r)",
        "F r -> (!p U (r | (s & !p & X (!p U t))))",
    ),
    (
        "S_and_T_precedes_to_P_after_Q(s, t, p, q)",
        "(G !q) | (!q U ((q & F p) -> (!p U (s & !p & X (!p U t)))))",
    ),
    (
        "S_and_T_precedes_to_P_between_Q_and_R(s, t, p, q, r)",
        "G ((q & F r) -> (!p U (r | (s & !p & X (!p U t)))))",
    ),
    (
        "S_and_T_precedes_to_P_after_Q_until_R(s, t, p, q, r)",
        "G (q -> (F p -> (!p U (r | (s & !p & X (!p U t))))))",
    ),
    (
        "P_precedes_S_and_T_globally(p, s, t)",
        "F (s & X F t) -> (!s U p)",
    ),
    (
        "P_precedes_S_and_T_before_R(p, s, t, r)",
        "F r -> (!(s & !r & X (!r U (t & !r))) U (p | r))",
    ),
    (
        "P_precedes_S_and_T_after_q(p, s, t, q)",
        "(G !q) | (!q U (q & (F (s & X F t) -> (!s U p))))",
    ),
    (
        "P_precedes_S_and_T_between_q_and_R(p, s, t, q, r)",
        "G ((q & F r) -> (!(s & !r & X (!r U (t & !r))) U (p | r)))",
    ),
    (
        "P_precedes_S_and_T_after_q_until_R(p, s, t, q, r)",
        "G (q -> ((!(s & !r & X (!r U (t & !r))) U (p | r)) | G !(s & X F t)))",
    ),
    (
        "P_responds_to_S_and_T_globally(p, s, t)",
        "G ((s & X F t) -> X F (t & F p))",
    ),
    (
        "P_responds_to_S_and_T_before_r(p, s, t, r)",
        "F r -> (((s & X (!r U t)) -> X (!r U (t & F p))) U r)",
    ),
    (
        "P_responds_to_S_and_T_after_Q(p, s, t, q)",
        "G (q -> G ((s & X F t) -> X (!t U (t & F p))))",
    ),
    (
        "P_responds_to_S_and_T_between_Q_and_R(p, s, t, q, r)",
        "G ((q & F r) -> (((s & X (!r U t)) -> X (!r U (t & F p))) U r))",
    ),
    (
        "P_responds_to_S_and_T_after_Q_until_R(p, s, t, q, r)",
        "G (q -> (((s & X (!r U t)) -> X (!r U (t & F p))) U (r | G ((s & X (!r U t)) -> X (!r U (t & F p))))))",
    ),
    (
        "S_and_T_responds_to_P_globally(s, t, p)",
        "G (p -> F (s & X F t))",
    ),
    (
        "S_and_T_responds_to_P_before_R(s, t, p, r)",
        "F r -> ((p -> (!r U (s & !r & X (!r U t)))) U r)",
    ),
    (
        "S_and_T_responds_to_P_after_q(s, t, p, q)",
        "G (q -> G (p -> (s & X F t)))",
    ),
    (
        "S_and_T_responds_to_P_between_q_and_R(s, t, p, q, r)",
        "G ((q & F r) -> ((p -> (!r U (s & !r & X (!r U t)))) U r))",
    ),
    (
        "S_and_T_without_Z_responds_to_P_globally(s, t, z, p)",
        "G (p -> F (s & !z & X (!z U t)))",
    ),
    (
        "S_and_T_without_Z_responds_to_P_before_R(s, t, z, p, r)",
        "F r -> ((p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U r)",
    ),
    (
        "S_and_T_without_Z_responds_to_P_after_Q(s, t, z, p, q)",
        "G (q -> G (p -> (s & !z & X (!z U t))))",
    ),
    (
        "S_and_T_without_Z_responds_to_P_between_Q_and_R(s, t, z, p, q, r)",
        "G ((q & F r) -> ((p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U r))",
    ),
    ("notP_globally(p)", "G !p"),
    ("notP_beforeR(p, r)", "F r -> (!p U r)"),
    (
        "pBecomesTrue_betweenQandR(p, q, r)",
        "G ((q & !r) -> (!r W (p & !r)))",
    ),
    ("pHolds_afterQuntilR(p, q, r)", "G ((q & !r) -> (p W r))"),
];

/// Only what a pattern speaks of varies; the rest stays false.
fn run_of(random: &mut Random, call: &str) -> Run {
    let arguments = &call[call.find('(').expect("arguments")..];
    let domains = NAMES.map(|name| match arguments.contains(name) {
        true => vec![0, 1],
        false => vec![0],
    });
    Run::random(random, &domains)
}

/// A formula over the six names.
struct Meaning {
    formulas: Formulas,
    formula: FormulaId,
    /// The atom of each name.
    places: Vec<usize>,
}

impl Meaning {
    fn new(text: &str) -> Meaning {
        let mut sources = Sources::new();
        let file = sources.add("formula", text);
        let mut formulas = Formulas::new();
        let formula = parse_formula(&mut formulas, file, text).expect("a formula");
        // All names are single bits, so that each one is an atom of its own.
        let formula = split_atoms(&mut formulas, formula, &|_| true);
        let mut place = |name: &&str| {
            let atom = parse_formula(&mut formulas, file, name).expect("a name");
            match formulas.get(atom) {
                Formula::Atom(atom) => atom.index(),
                _ => unreachable!("a name is an atom"),
            }
        };
        let places = NAMES.iter().map(&mut place).collect();
        Meaning {
            formulas,
            formula,
            places,
        }
    }

    fn holds(&self, run: &Run) -> bool {
        let steps = |steps: &[Vec<i64>]| {
            let step = |step: &Vec<i64>| {
                let mut atoms = vec![false; self.formulas.atoms().len()];
                for (value, place) in step.iter().zip(&self.places) {
                    atoms[*place] = *value != 0;
                }
                atoms
            };
            steps.iter().map(step).collect()
        };
        let lasso = Lasso::new(steps(&run.prefix), steps(&run.cycle)).expect("a cycle");
        lasso.satisfies(&self.formulas, self.formula)
    }
}

#[test]
fn patterns_mean_their_formulas() {
    let mut random = random();
    for (call, formula) in PATTERNS {
        let names = NAMES.join("; env boolean ");
        let spec = parse(&format!("env boolean {names}; gar {call};"));
        let mut judge = Judge::new(&spec);
        let meaning = Meaning::new(formula);
        let mut verdicts = [0, 0];
        for count in 0..30 * RUNS {
            if count >= RUNS && verdicts.iter().all(|count| *count >= 20) {
                break;
            }
            let run = run_of(&mut random, call);
            let expected = meaning.holds(&run);
            verdicts[usize::from(expected)] += 1;
            if judge.keeps(&run) != expected {
                let mut is_wrong = |run: &Run| judge.keeps(run) != meaning.holds(run);
                let run = shrink(run, &mut is_wrong);
                let expected = meaning.holds(&run);
                panic!("{call} should be {expected} on {NAMES:?} = {run}");
            }
        }
        assert!(
            verdicts.iter().all(|count| *count >= 20),
            "{call}: {verdicts:?}"
        );
    }
}

#[test]
fn all_patterns_of_the_library_are_tested() {
    let library = include_str!("../../src/spec/spectra/library.spectra");
    let declared = library
        .lines()
        .filter_map(|line| line.strip_prefix("pattern "));
    let mut declared: Vec<&str> = declared
        .filter_map(|line| line.strip_suffix(" {"))
        .collect();
    let mut tested: Vec<&str> = PATTERNS.iter().map(|(call, _)| *call).collect();
    // These two have words for parameters.
    let named = "respondsTo(trigger, response)";
    declared.retain(|pattern| !pattern.ends_with(&named[10..]));
    tested.retain(|call| !["respondsTo(p, s)", "pRespondsToS(p, s)"].contains(call));
    declared.sort_unstable();
    tested.sort_unstable();
    assert_eq!(declared, tested);
}
