//! Properties that start after a reset: what they say of a run with a reset in front is what
//! they said of the run without.

use crate::support::{Shape, check_random, name};
use respin::expr::Role;
use respin::spec::{Formula, FormulaId, Formulas, Lasso, Property, Spec};

/// The formula judged `steps` later, on a run with so many steps before the given one, in
/// which the atoms have alternating values.
fn compare(
    formulas: &mut Formulas,
    formula: FormulaId,
    lasso: &Lasso,
    steps: usize,
) -> Option<String> {
    let wanted = lasso.satisfies(formulas, formula);
    let mut spec = Spec {
        antecedents: Vec::new(),
        formulas: formulas.clone(),
        properties: vec![Property {
            role: Role::Assert,
            name: "p".to_string(),
            is_named: true,
            span: None,
            formula,
        }],
    };
    spec.delay(steps as u32, &name("running"));
    let delayed = spec.properties[0].formula;
    let running = spec.formulas.condition_atom(&name("running"));
    let Formula::Atom(running) = *spec.formulas.get(running) else {
        return Some("`running` is no atom".to_string());
    };
    let count = spec.formulas.atoms().len();
    let with_running = |step: &Vec<bool>, value: bool| {
        let mut step = step.clone();
        step.resize(count, false);
        step[running.index()] = value;
        step
    };
    let mut prefix: Vec<Vec<bool>> = (0..steps)
        .map(|step| {
            let values = (0..count).map(|atom| (atom + step) % 2 == 0).collect();
            with_running(&values, false)
        })
        .collect();
    prefix.extend(lasso.prefix().iter().map(|step| with_running(step, true)));
    let cycle = lasso.cycle().iter().map(|step| with_running(step, true));
    let later = Lasso::new(prefix, cycle.collect())?;
    let found = later.satisfies(&spec.formulas, delayed);
    (wanted != found).then(|| {
        let text = spec.formulas.text(delayed);
        format!("holds: {wanted}, after {steps} steps of reset: {found} for {text}")
    })
}

#[test]
fn a_property_says_the_same_after_a_reset() {
    for steps in 0..3 {
        check_random(1500, &Shape::everything(4), &|formulas, formula, lasso| {
            compare(formulas, formula, lasso, steps)
        });
    }
}

#[test]
fn operators_about_the_past_see_nothing_of_the_reset() {
    check_random(1500, &Shape::past(4), &|formulas, formula, lasso| {
        compare(formulas, formula, lasso, 2)
    });
}
