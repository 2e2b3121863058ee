//! Formulas: text, normal form, rewriting, classes and the past, against the meaning on runs.

use crate::support::{
    Shape, check_formulas, check_random, random_formula, random_lasso, seed, source, with_atoms,
};
use respin::expr::{TemporalBinary, TemporalUnary};
use respin::random::Random;
use respin::spec::class::{Class, classes, classify};
use respin::spec::formula::{FALSE, TRUE};
use respin::spec::implication::implies;
use respin::spec::normal_form::{negate, negation_normal_form};
use respin::spec::past::PastCircuit;
use respin::spec::property_file::parse_formula;
use respin::spec::simplify::{RULES, Rule, simplify};
use respin::spec::{Formula, FormulaId, Formulas, Lasso};

fn parse(formulas: &mut Formulas, text: &str) -> FormulaId {
    let (_, file) = source(text);
    match parse_formula(formulas, file, text) {
        Ok(formula) => formula,
        Err(error) => panic!("`{text}`: {}", crate::support::render(text, &error)),
    }
}

/// A run from two words: each letter of a step is the name of an atom that holds.
fn run(prefix: &str, cycle: &str) -> Lasso {
    let steps = |text: &str| -> Vec<Vec<bool>> {
        text.split_whitespace()
            .map(|step| {
                ["a", "b", "c"]
                    .iter()
                    .map(|atom| step.contains(atom))
                    .collect()
            })
            .collect()
    };
    Lasso::new(steps(prefix), steps(cycle)).expect("the cycle has a step")
}

#[test]
fn a_run_satisfies_what_the_definitions_say() {
    // Each line: formula, prefix, cycle, whether it holds in the first step.
    let cases = [
        ("a", "a", "-", true),
        ("X a", "- a", "-", true),
        ("X a", "a", "-", false),
        ("F a", "- - a", "-", true),
        ("F a", "- -", "-", false),
        ("F a", "-", "- a", true),
        ("G a", "a a", "a", true),
        ("G a", "a a", "a -", false),
        ("a U b", "a a b", "-", true),
        ("a U b", "a a", "a", false),
        ("a U b", "a - b", "-", false),
        ("a W b", "a a", "a", true),
        ("a W b", "a -", "b", false),
        ("a R b", "b b ab", "-", true),
        ("a R b", "b b a", "-", false),
        ("a R b", "b", "b", true),
        ("a M b", "b", "b", false),
        ("a M b", "b ab", "-", true),
        ("Y a", "a", "a", false),
        ("Z a", "-", "-", true),
        ("X Y a", "a", "-", true),
        ("X Z a", "-", "-", false),
        ("X X O a", "a - -", "-", true),
        ("X O a", "- -", "a", false),
        ("X H a", "a a", "-", true),
        ("X H a", "- a", "a", false),
        ("X X (a S b)", "b a a", "-", true),
        ("X X (a S b)", "b - a", "-", false),
        ("X X (a S b)", "a a a", "-", false),
        ("X X (a T b)", "b b b", "-", true),
        ("X X (a T b)", "- ab b", "-", true),
        ("X X (a T b)", "- b b", "-", false),
        ("G F a", "", "- a", true),
        ("G F a", "a a", "-", false),
        ("F G a", "-", "a", true),
        ("F G a", "a", "a -", false),
        // The cycle is seen differently on its first pass.
        ("G Z O a", "", "a -", true),
        ("F (a & Y Y Y a)", "", "a - -", true),
        ("F (a & Y Y a)", "", "a - -", false),
        ("G (a -> Y (!a S b))", "b", "a b", true),
        ("G (a -> Y (!a S b))", "b", "a -", false),
    ];
    for (text, prefix, cycle, expected) in cases {
        let (mut formulas, _) = with_atoms(3);
        let formula = parse(&mut formulas, text);
        assert_eq!(
            run(prefix, cycle).satisfies(&formulas, formula),
            expected,
            "`{text}` on `{prefix} ({cycle})`"
        );
    }
}

#[test]
fn unrolling_the_cycle_changes_no_truth_value() {
    check_random(3000, &Shape::everything(5), &|formulas, formula, lasso| {
        let mut prefix = lasso.prefix().to_vec();
        prefix.extend_from_slice(lasso.cycle());
        let longer = Lasso::new(prefix, lasso.cycle().to_vec())?;
        let (first, second) = (
            lasso.evaluate(formulas, formula),
            longer.evaluate(formulas, formula),
        );
        (0..40)
            .find(|position| first.at(*position) != second.at(*position))
            .map(|position| format!("differs in step {position}"))
    });
}

/// The same truth in every step that a run can tell apart.
fn difference(
    formulas: &Formulas,
    lasso: &Lasso,
    first: FormulaId,
    second: FormulaId,
) -> Option<String> {
    let (left, right) = (
        lasso.evaluate(formulas, first),
        lasso.evaluate(formulas, second),
    );
    (0..40)
        .find(|position| left.at(*position) != right.at(*position))
        .map(|position| {
            format!(
                "differs in step {position} from `{}`",
                formulas.text(second)
            )
        })
}

#[test]
fn negation_normal_form_means_the_same() {
    check_random(3000, &Shape::everything(5), &|formulas, formula, lasso| {
        let normal = negation_normal_form(formulas, formula);
        difference(formulas, lasso, formula, normal)
    });
}

#[test]
fn negation_normal_form_negates_only_atoms() {
    check_formulas(3000, &Shape::everything(5), &|formulas, formula| {
        let normal = negation_normal_form(formulas, formula);
        formulas
            .subformulas(normal)
            .into_iter()
            .find_map(|id| match formulas.get(id) {
                Formula::Not(operand) => match formulas.get(*operand) {
                    Formula::Atom(_) => None,
                    _ => Some(format!("`{}` remains", formulas.text(id))),
                },
                _ => None,
            })
    });
}

#[test]
fn negate_means_the_opposite() {
    check_random(3000, &Shape::everything(5), &|formulas, formula, lasso| {
        let negated = negate(formulas, formula);
        let opposite = formulas.not(formula);
        difference(formulas, lasso, opposite, negated)
    });
}

#[test]
fn simplification_means_the_same() {
    check_random(4000, &Shape::everything(5), &|formulas, formula, lasso| {
        let simple = simplify(formulas, formula);
        difference(formulas, lasso, formula, simple)
    });
}

#[test]
fn simplification_never_makes_a_formula_bigger_than_its_normal_form() {
    check_formulas(3000, &Shape::everything(5), &|formulas, formula| {
        let normal = negation_normal_form(formulas, formula);
        let simple = simplify(formulas, formula);
        let (before, after) = (formulas.size(normal), formulas.size(simple));
        (after > before + 2).then(|| format!("{before} to {after}: {}", formulas.text(simple)))
    });
}

/// Formulas on which rewriting has something to do: two operators of few kinds over few
/// operands.
fn rule_candidate(random: &mut Random, formulas: &mut Formulas) -> FormulaId {
    let mut shape = Shape::everything(random.below(3));
    shape.atoms = 1 + random.below(3);
    shape.negate_anything = false;
    let unary = [*random.pick(&shape.unary), *random.pick(&shape.unary)];
    let binary = [*random.pick(&shape.binary), *random.pick(&shape.binary)];
    let mut operands: Vec<FormulaId> = (0..4)
        .map(|_| random_formula(random, formulas, &shape))
        .collect();
    // An operator next to another with the same operand: `op a & (a op b)`.
    if random.below(8) == 0 {
        let (left, right) = (operands[0], operands[1]);
        let alone = *random.pick(&[left, right]);
        let alone = formulas.unary(*random.pick(&unary), alone);
        let both = formulas.binary(*random.pick(&binary), left, right);
        return if random.flip() {
            formulas.and([alone, both])
        } else {
            formulas.or([alone, both])
        };
    }
    // Two rounds over the operands: `op (op a)`, `op a & op b`, `(a op b) op c`.
    for _ in 0..2 {
        let kind = random.below(4);
        let both = (*random.pick(&unary), *random.pick(&binary));
        let old = operands.clone();
        for operand in &mut operands {
            let other = *random.pick(&old);
            *operand = match kind {
                0 => formulas.unary(both.0, *operand),
                1 => formulas.binary(both.1, *operand, other),
                2 => formulas.and([*operand, other]),
                _ => formulas.or([*operand, other]),
            };
        }
    }
    operands[0]
}

/// Calls back with formulas that a rule rewrites, and what it makes of them.
fn for_each_rewriting(
    rule: Rule,
    mut action: impl FnMut(&mut Random, &Formulas, FormulaId, FormulaId),
) {
    let mut random = Random::new(seed());
    for _ in 0..60_000 {
        let (mut formulas, _) = with_atoms(3);
        let formula = rule_candidate(&mut random, &mut formulas);
        if let Some(rewritten) = rule(&mut formulas, formula) {
            action(&mut random, &formulas, formula, rewritten);
        }
    }
}

#[test]
fn each_rewriting_rule_means_the_same() {
    for (name, rule) in RULES {
        for_each_rewriting(rule, |random, formulas, formula, rewritten| {
            let lasso = random_lasso(random, 3);
            if let Some(problem) = difference(formulas, &lasso, formula, rewritten) {
                panic!(
                    "seed {}, rule {name}: `{}` {problem}\n{}",
                    seed(),
                    formulas.text(formula),
                    lasso.text(formulas)
                );
            }
        });
    }
}

#[test]
fn each_rewriting_rule_is_used() {
    for (name, rule) in RULES {
        let mut used = 0;
        for_each_rewriting(rule, |_, _, _, _| used += 1);
        assert!(used >= 40, "rule {name} was used only {used} times");
    }
}

#[test]
fn simplification_finds_what_people_expect() {
    let cases = [
        ("F F a", "F a"),
        ("G F G F a", "G F a"),
        ("X G F a", "G F a"),
        ("true U a", "F a"),
        ("false R a", "G a"),
        ("a W false", "G a"),
        ("G a & G b", "G (a && b)"),
        ("G F a | G F b", "G F (a || b)"),
        ("a & F a", "a"),
        ("a & G a", "G a"),
        ("a || (a && b)", "a"),
        ("a && (!a || b)", "a && b"),
        ("F (a U b)", "F b"),
        ("X Y a", "a"),
        ("(a U c) & (b U c)", "(a && b) U c"),
        ("G a & F !a", "false"),
        ("!(a U b)", "!a R !b"),
        ("O O a", "O a"),
        ("true S a", "O a"),
        ("G a | (a U b)", "a W b"),
        ("F b & (a W b)", "a U b"),
        ("F b -> (!b U (b & c))", "!b W (b & c)"),
    ];
    for (text, expected) in cases {
        let (mut formulas, _) = with_atoms(3);
        let formula = parse(&mut formulas, text);
        let simple = simplify(&mut formulas, formula);
        assert_eq!(formulas.text(simple), expected, "simplified `{text}`");
    }
}

#[test]
fn a_seen_implication_holds_in_every_step() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut seen = 0;
    for _ in 0..200_000 {
        let (mut formulas, _) = with_atoms(2);
        let mut shape = Shape::everything(2);
        shape.atoms = 2;
        let left = random_formula(&mut random, &mut formulas, &shape);
        let right = random_formula(&mut random, &mut formulas, &shape);
        let left = negation_normal_form(&mut formulas, left);
        let right = negation_normal_form(&mut formulas, right);
        if left == right || left == FALSE || right == TRUE || !implies(&formulas, left, right) {
            continue;
        }
        seen += 1;
        let lasso = random_lasso(&mut random, 2);
        let implication = formulas.implies(left, right);
        let truth = lasso.evaluate(&formulas, implication);
        assert!(
            (0..30).all(|position| truth.at(position)),
            "seed {seed}: `{}` does not imply `{}` on\n{}",
            formulas.text(left),
            formulas.text(right),
            lasso.text(&formulas)
        );
        if seen == 5000 {
            break;
        }
    }
    assert!(seen >= 2000, "only {seen} implications were seen");
}

#[test]
fn printed_formulas_parse_back_to_the_same_formula() {
    check_formulas(4000, &Shape::everything(6), &|formulas, formula| {
        let text = formulas.text(formula);
        let (_, file) = source(&text);
        match parse_formula(formulas, file, &text) {
            Ok(parsed) if parsed == formula => None,
            Ok(parsed) => Some(format!("`{text}` became `{}`", formulas.text(parsed))),
            Err(error) => Some(format!("`{text}`: {}", error.message)),
        }
    });
}

#[test]
fn printed_formulas_have_few_parentheses() {
    let cases = [
        ("G(a->F b)", "G (!a || F b)"),
        ("(G F a)&(F G b)", "G F a && F G b"),
        ("(a U b) U c", "(a U b) U c"),
        ("a U (b U c)", "a U b U c"),
        ("!(a U b)", "!(a U b)"),
        ("!(G a)", "!G a"),
        ("(!a) U b", "!a U b"),
        ("(a && b) || c", "c || a && b"),
        ("(a || b) && c", "c && (a || b)"),
        ("X (X a)", "X X a"),
        ("X (a == b)", "X (a == b)"),
        ("G (&a)", "G (&a)"),
        ("(a & b) && X c", "(a & b) && X c"),
        ("\\G == 1 U (next)", "\\G  == 1 U \\next "),
    ];
    for (text, expected) in cases {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text);
        assert_eq!(formulas.text(formula), expected, "printed `{text}`");
    }
}

#[test]
fn deep_formulas_pass_through_everything() {
    let mut text = "X ".repeat(10_000);
    text.push_str("!(a U b)");
    let (mut formulas, _) = with_atoms(3);
    let formula = parse(&mut formulas, &text);
    let simple = simplify(&mut formulas, formula);
    assert_eq!(formulas.size(simple), 10_005);
}

#[test]
fn operators_have_their_classes() {
    let cases = [
        ("a", Class::Safety),
        ("X X a", Class::Safety),
        ("G a", Class::Safety),
        ("G (a -> X b)", Class::Safety),
        ("a W b", Class::Safety),
        ("G (a -> O b)", Class::Safety),
        ("G (a -> Y (b S c))", Class::Safety),
        ("!F a", Class::Safety),
        ("F a", Class::CoSafety),
        ("a U b", Class::CoSafety),
        ("a & F X b", Class::CoSafety),
        ("!(a W b)", Class::CoSafety),
        ("F (a & O b)", Class::CoSafety),
        ("G a | F b", Class::Obligation),
        ("(G a) U b", Class::Obligation),
        ("G a -> G b", Class::Obligation),
        ("G F a", Class::Recurrence),
        ("G (a -> F b)", Class::Recurrence),
        ("G (a -> (b U c))", Class::Recurrence),
        ("G F a & G F b", Class::Recurrence),
        ("F G a", Class::Persistence),
        ("F G a | G b", Class::Persistence),
        ("G F a -> G F b", Class::Reactivity),
        ("G F a | F G b", Class::Reactivity),
        ("G (F a | F G b)", Class::Reactivity),
    ];
    for (text, expected) in cases {
        let (mut formulas, _) = with_atoms(3);
        let formula = parse(&mut formulas, text);
        assert_eq!(classify(&mut formulas, formula), expected, "`{text}`");
    }
}

#[test]
fn the_classes_of_the_negation_are_the_duals() {
    check_formulas(3000, &Shape::everything(5), &|formulas, formula| {
        let negated = negate(formulas, formula);
        let (own, other) = (classes(formulas, formula), classes(formulas, negated));
        let dual = own.safety == other.cosafety
            && own.cosafety == other.safety
            && own.obligation == other.obligation
            && own.recurrence == other.persistence
            && own.persistence == other.recurrence;
        (!dual).then(|| format!("{own:?} and {other:?}"))
    });
}

#[test]
fn past_formulas_become_circuits_of_the_same_value() {
    check_random(3000, &Shape::past(4), &|formulas, formula, lasso| {
        let mut past = PastCircuit::new();
        let present = past
            .eliminate(formulas, formula)
            .expect("no future operator");
        let extended = past.extend(lasso);
        let (first, second) = (
            lasso.evaluate(formulas, formula),
            extended.evaluate(formulas, present),
        );
        (0..40)
            .find(|position| first.at(*position) != second.at(*position))
            .map(|position| format!("differs in step {position}\n{}", past.circuit()))
    });
}

#[test]
fn nothing_about_the_past_is_left_after_elimination() {
    check_formulas(3000, &Shape::past(4), &|formulas, formula| {
        let mut past = PastCircuit::new();
        let present = past
            .eliminate(formulas, formula)
            .expect("no future operator");
        formulas.has_past(present).then(|| formulas.text(present))
    });
}

#[test]
fn formulas_of_past_and_future_keep_their_meaning() {
    let seed = seed();
    let mut random = Random::new(seed);
    for case in 0..3000 {
        let (mut formulas, _) = with_atoms(3);
        let mut future = Shape::everything(3);
        future.unary.retain(|operator| !operator.is_past());
        future.binary.retain(|operator| !operator.is_past());
        let ahead = random_formula(&mut random, &mut formulas, &future);
        let back = random_formula(&mut random, &mut formulas, &Shape::past(3));
        let ahead = formulas.or([ahead, back]);
        let later = random_formula(&mut random, &mut formulas, &Shape::past(2));
        let formula = formulas.binary(TemporalBinary::Until, later, ahead);
        let mut past = PastCircuit::new();
        let without = past
            .eliminate(&mut formulas, formula)
            .expect("no future operator inside a past one");
        let lasso = random_lasso(&mut random, 3);
        assert_eq!(
            lasso.satisfies(&formulas, formula),
            past.extend(&lasso).satisfies(&formulas, without),
            "seed {seed}, case {case}: `{}` on\n{}",
            formulas.text(formula),
            lasso.text(&formulas)
        );
    }
}

#[test]
fn a_future_operator_inside_a_past_one_is_refused() {
    let (mut formulas, _) = with_atoms(3);
    let formula = parse(&mut formulas, "G (a -> O F b)");
    let error = PastCircuit::new().eliminate(&mut formulas, formula);
    let past = error.expect_err("`O F b` looks ahead").past;
    assert_eq!(formulas.text(past), "O F b");
}

#[test]
fn one_circuit_serves_many_formulas_with_shared_latches() {
    let (mut formulas, _) = with_atoms(3);
    let first = parse(&mut formulas, "G (a -> O b)");
    let second = parse(&mut formulas, "G (c -> O b)");
    let mut past = PastCircuit::new();
    past.eliminate(&mut formulas, first).expect("past only");
    past.eliminate(&mut formulas, second).expect("past only");
    assert_eq!(past.circuit().latches().len(), 1);
}

#[test]
fn operators_are_their_own_double_duals() {
    for operator in TemporalUnary::ALL {
        assert_eq!(operator.dual().dual(), operator);
    }
    for operator in TemporalBinary::ALL {
        assert_eq!(operator.dual().dual(), operator);
    }
}
