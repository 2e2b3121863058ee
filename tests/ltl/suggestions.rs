//! Assumptions to add and guarantees to weaken: the text that is shown, read again, is judged by
//! another stage of the solver, and by random runs.

use crate::cases::cases;
use crate::explanations::{can_force, explained, indices, judged, on_random, on_random_of};
use crate::sketch::conflicting_spec;
use respin::explain::answer::{self, Missing};
use respin::explain::ltl::taken_apart;
use respin::random::Random;
use respin::source::Sources;
use respin::spec::lasso::Lasso;
use respin::spec::ltl::{LtlSpec, Order, Part, Section};
use respin::spec::{FormulaId, Spec};

/// Adds a formula, as it was shown, as an assumption or in the place of a guarantee.
fn with_text(spec: &LtlSpec, text: &str, section: Section) -> Result<LtlSpec, String> {
    let mut sources = Sources::new();
    // Everything in one arena: what is there is written, and read with the new line.
    let mut plain = spec.clone();
    let wholes: Vec<String> = (0..spec.parts.len())
        .map(|index| {
            let whole = respin::certify::ltl::whole(&mut plain, index);
            format!("assert part_{index}: {};\n", plain.formulas.text(whole))
        })
        .collect();
    let text = format!("{}assert new: {text};\n", wholes.concat());
    let file = sources.add("changed.ltl", text.as_str());
    let mut read = Spec::new();
    read.add_property_file(file, &text)
        .map_err(|errors| format!("{errors:?} in {text}"))?;
    let signals = LtlSpec::from_properties(&read, &spec.inputs, &spec.outputs)
        .map_err(|errors| format!("{errors:?} in {text}"))?;
    let mut result = spec.clone();
    result.formulas = signals.formulas.clone();
    result.parts = Vec::new();
    for (part, written) in spec.parts.iter().zip(&signals.parts) {
        // An invariant loses the `G` that its section puts around it.
        let formula = match part.section {
            Section::Require | Section::Assert => body(&signals, written.formula)?,
            _ => written.formula,
        };
        result.parts.push(Part {
            formula,
            ..part.clone()
        });
    }
    let formula = signals.parts[spec.parts.len()].formula;
    let formula = match section {
        Section::Require => body(&signals, formula)?,
        _ => formula,
    };
    result.parts.push(Part {
        section,
        name: format!("new/{}", spec.parts.len()),
        span: None,
        formula,
    });
    Ok(result)
}

fn body(spec: &LtlSpec, whole: FormulaId) -> Result<FormulaId, String> {
    match spec.formulas.get(whole) {
        respin::spec::Formula::Unary(respin::expr::TemporalUnary::Globally, body) => Ok(*body),
        _ => Err(format!("{} has lost its G", spec.formulas.text(whole))),
    }
}

/// Whether some run keeps all parts: by one formula over signals of the system.
fn has_play(spec: &LtlSpec) -> Option<bool> {
    let mut all = spec.with_parts(&[]);
    all.outputs = spec.inputs.iter().chain(&spec.outputs).cloned().collect();
    all.inputs = Vec::new();
    all.is_strict = false;
    all.order = Order::Mealy;
    let mut copy = spec.clone();
    for index in 0..spec.parts.len() {
        let formula = respin::certify::ltl::whole(&mut copy, index);
        all.parts.push(Part {
            section: Section::Guarantee,
            name: format!("both/{index}"),
            span: None,
            formula,
        });
    }
    all.formulas = copy.formulas;
    judged(&all)
}

/// How many sets of assumptions and weaker guarantees were suggested, if all of them are right.
fn changes(spec: &LtlSpec, random: &mut Random) -> Result<Option<(usize, usize, bool)>, String> {
    let apart = taken_apart(spec);
    if judged(spec) != Some(false) {
        return Ok(None);
    }
    let parts = [answer::Part::Additions, answer::Part::Weakenings];
    let found = explained(spec, &parts)?;
    let expected: &[Missing] = match found.weakenings.is_empty() {
        true => &[Missing::NoWeakening],
        false => &[],
    };
    if found.missing != expected {
        return Err(format!("{:?}", found.missing));
    }
    let additions = found.additions.ok_or("nothing is said of additions")?;
    if Some(additions.hopeless.is_some()) == has_play(&apart) {
        return Err(format!("hopeless: {:?}", additions.hopeless));
    }
    let could_force = can_force(&apart, &indices(&apart, true));
    for set in &additions.sets {
        let texts: Vec<&str> = set
            .assumptions
            .iter()
            .map(|one| one.text.as_str())
            .collect();
        let wrong = |what: &str| Err(format!("{texts:?} {what}"));
        let changed = |left_out: Option<usize>| -> Result<LtlSpec, String> {
            let mut changed = apart.clone();
            for (index, text) in texts.iter().enumerate() {
                if left_out != Some(index) {
                    changed = with_text(&changed, text, section_of(text))?;
                }
            }
            Ok(changed)
        };
        let all = changed(None)?;
        if judged(&all) == Some(false) {
            return wrong("do not help");
        }
        if has_play(&all) == Some(false) {
            return wrong("contradict what is there");
        }
        if could_force == Some(false) && can_force(&all, &indices(&all, true)) == Some(true) {
            return wrong("can be made to fail");
        }
        for index in 0..texts.len() {
            if judged(&changed(Some(index))?) == Some(true) {
                return wrong("are not all needed");
            }
        }
    }
    for weakening in &found.weakenings {
        weaker(&apart, weakening, random)?;
    }
    let count = (additions.sets.len(), found.weakenings.len());
    Ok(Some((count.0, count.1, additions.hopeless.is_some())))
}

/// Where an assumption is to be written: what it says of single steps decides under the strict
/// semantics who was first.
fn section_of(text: &str) -> Section {
    if text.starts_with("G F ") {
        Section::Assume
    } else if text.starts_with("G ") {
        Section::Require
    } else {
        Section::Initially
    }
}

/// Whether a weaker guarantee is enough, and holds on runs on which the guarantee does.
fn weaker(spec: &LtlSpec, found: &answer::Weakening, random: &mut Random) -> Result<(), String> {
    let name = &found.guarantee.name;
    let place = spec.parts.iter().position(|part| part.name == *name);
    let place = place.ok_or("weakens what is not there")?;
    let section = match spec.parts[place].section {
        Section::Preset => Section::Preset,
        _ => Section::Guarantee,
    };
    let both = with_text(spec, &found.replacement, section)?;
    let others: Vec<usize> = (0..both.parts.len()).filter(|one| *one != place).collect();
    let changed = both.with_parts(&others);
    let wrong = |what: &str| Err(format!("{} for {name} {what}", found.replacement));
    if !spec.is_strict && judged(&changed) == Some(false) {
        return wrong("does not help");
    }
    let mut known = both.clone();
    let strong = respin::certify::ltl::whole(&mut known, place);
    let weak = both.parts[both.parts.len() - 1].formula;
    for _ in 0..300 {
        let atoms = known.formulas.atoms().len();
        let mut steps = |count: usize| -> Vec<Vec<bool>> {
            let step = |_| (0..atoms).map(|_| random.chance(50)).collect();
            (0..count).map(step).collect()
        };
        let (prefix, cycle) = (steps(2), steps(2));
        let lasso = Lasso::new(prefix, cycle).ok_or("no run")?;
        if lasso.satisfies(&known.formulas, strong) && !lasso.satisfies(&known.formulas, weak) {
            return wrong("does not follow");
        }
    }
    Ok(())
}

#[test]
fn changes_of_random_specifications_are_what_they_claim_to_be() {
    let (mut added, mut weakened, mut hopeless, mut asked) = (0, 0, 0, 0);
    let mut random = Random::new(3);
    on_random(9_000_000, cases(200), &mut |spec| {
        if let Some((sets, weaker, none)) = changes(spec, &mut random)? {
            asked += 1;
            added += usize::from(sets > 0);
            weakened += usize::from(weaker > 0);
            hopeless += usize::from(none);
        }
        Ok(())
    });
    println!("{asked}: {added} with assumptions, {hopeless} without hope, {weakened} weakened");
    assert!(
        added >= 10 && weakened >= 2 && hopeless >= 5,
        "{asked}: {added}, {hopeless}, {weakened}"
    );
}

/// Where guarantees contradict each other, most can be weakened.
#[test]
fn guarantees_of_random_conflicts_are_weakened() {
    let (mut weakened, mut asked) = (0, 0);
    let mut random = Random::new(5);
    on_random_of(conflicting_spec, 11_000_000, cases(150), &mut |spec| {
        if let Some((_, weaker, _)) = changes(spec, &mut random)? {
            asked += 1;
            weakened += usize::from(weaker > 0);
        }
        Ok(())
    });
    println!("{asked} conflicts, {weakened} weakened");
    assert!(asked >= 30 && 3 * weakened >= asked, "{asked}: {weakened}");
}

/// The guarantees that are weakened, with what could stand in their place.
fn weakened(text: &str, inputs: &[&str], outputs: &[&str]) -> Vec<(String, String)> {
    let mut sources = Sources::new();
    let file = sources.add("m.ltl", text);
    let mut read = Spec::new();
    read.add_property_file(file, text).expect("formulas");
    let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let spec = LtlSpec::from_properties(&read, &names(inputs), &names(outputs)).expect("signals");
    let found = explained(&spec, &[answer::Part::Weakenings]).expect("an answer");
    let found = found.weakenings.into_iter();
    found
        .map(|one| (one.guarantee.name, one.replacement))
        .collect()
}

#[test]
fn a_guarantee_may_fail_where_another_one_asks_for_the_opposite() {
    let text = "assert high: G (a -> y); assert low: G (b -> !y); assert live: G F (y W b);";
    let found = weakened(text, &["a", "b"], &["y"]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].0, "low");
    assert_eq!(found[0].1, "G (!y || !b || a && y && b)");
}

#[test]
fn an_answer_may_come_later() {
    let text = "assume pause: G F !b; assert calm: G (b -> !y); assert next: G (a -> X y);";
    let found = weakened(text, &["a", "b"], &["y"]);
    let next = found.iter().find(|(name, _)| name == "next");
    let (_, replacement) = next.expect("it can be weaker");
    assert!(replacement.contains("F y"), "{found:?}");
}

#[test]
fn an_assumption_is_shown_as_an_implication() {
    let text = "assert ahead: G (y <-> X x);";
    let mut sources = Sources::new();
    let file = sources.add("m.ltl", text);
    let mut read = Spec::new();
    read.add_property_file(file, text).expect("formulas");
    let (inputs, outputs) = (["x".to_string()], ["y".to_string()]);
    let spec = LtlSpec::from_properties(&read, &inputs, &outputs).expect("signals");
    let found = explained(&spec, &[answer::Part::Additions]).expect("an answer");
    let sets = found.additions.expect("an answer").sets.into_iter();
    let texts: Vec<String> = sets
        .flat_map(|set| set.assumptions)
        .map(|one| one.text)
        .collect();
    assert!(texts.iter().any(|text| text.contains("-> X ")), "{texts:?}");
}
