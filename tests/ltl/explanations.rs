//! What is said of random specifications, beside an exhaustive search in which another stage of
//! the solver answers each question.

use crate::cases::cases;
use crate::sketch::{random_spec, smaller_specs, text};
use crate::support::seed;
use respin::explain::answer::{self, Explanation, Options, Verdict};
use respin::explain::explain;
use respin::explain::ltl::taken_apart;
use respin::explain::separation::{Part as Failing, Position};
use respin::load::{AnySpec, Format, LoadedLtl};
use respin::random::Random;
use respin::spec::FormulaId;
use respin::spec::class::{Class, classify};
use respin::spec::ltl::{LtlSpec, Order, Part, Section};
use respin::synth::ltl::{self, Stage, solve};
use std::collections::BTreeSet;

/// The names of some parts.
type Names = BTreeSet<String>;

pub fn explained(spec: &LtlSpec, only: &[answer::Part]) -> Result<Explanation, String> {
    let spec = AnySpec::Ltl(Box::new(LoadedLtl {
        spec: spec.clone(),
        format: Format::Tlsf,
        description: String::new(),
        target: Order::Mealy,
    }));
    let options = Options {
        only: only.to_vec(),
        all_diagnoses: true,
        ..Options::default()
    };
    explain(&spec, &options, &mut |_| {}).map_err(|diagnostics| format!("{diagnostics:?}"))
}

/// The verdict of a stage that explanations hardly ever need; `None` if it has none.
pub fn judged(spec: &LtlSpec) -> Option<bool> {
    let options = ltl::Options {
        stage: Some(Stage::BoundedAutomaton),
        bound: Some(8),
        ..ltl::Options::default()
    };
    let answer = solve(spec, &options, &mut |_| {}).ok()?;
    answer.certified()?;
    Some(answer.realizable)
}

pub fn indices(spec: &LtlSpec, assumed: bool) -> Vec<usize> {
    let all = 0..spec.parts.len();
    all.filter(|index| spec.parts[*index].section.is_assumption() == assumed)
        .collect()
}

/// Each choice of some items.
fn choices(items: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (0..1_u32 << items.len()).map(|bits| {
        let chosen = items.iter().enumerate();
        let chosen = chosen.filter(|(place, _)| bits >> place & 1 == 1);
        chosen.map(|(_, item)| *item).collect()
    })
}

/// Those with no other one inside.
fn smallest(sets: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let is_within = |few: &Vec<usize>, many: &Vec<usize>| few.iter().all(|one| many.contains(one));
    let all = sets.clone();
    let mut sets = sets;
    sets.retain(|set| {
        !all.iter()
            .any(|other| other != set && is_within(other, set))
    });
    sets
}

fn names(spec: &LtlSpec, sets: Vec<Vec<usize>>) -> BTreeSet<Names> {
    let name = |index: &usize| spec.parts[*index].name.clone();
    sets.iter()
        .map(|set| set.iter().map(name).collect())
        .collect()
}

fn shown(sets: &[Vec<answer::Item>]) -> BTreeSet<Names> {
    let names = |set: &Vec<answer::Item>| set.iter().map(|item| item.name.clone()).collect();
    sets.iter().map(names).collect()
}

/// Shrinks what goes wrong and says so.
pub fn on_random(first: u64, count: u64, judge: &mut dyn FnMut(&LtlSpec) -> Result<(), String>) {
    on_random_of(random_spec, first, count, judge);
}

/// The same for specifications of some kind.
pub fn on_random_of(
    kind: fn(&mut Random) -> LtlSpec,
    first: u64,
    count: u64,
    judge: &mut dyn FnMut(&LtlSpec) -> Result<(), String>,
) {
    let seed = seed().wrapping_add(first);
    for case in 0..count {
        let mut spec = kind(&mut Random::new(seed.wrapping_add(case)));
        let Err(mut problem) = judge(&spec) else {
            continue;
        };
        while let Some((smaller, other)) = smaller_specs(&spec)
            .into_iter()
            .find_map(|smaller| Some((judge(&smaller).err()?, smaller)))
        {
            (problem, spec) = (smaller, other);
        }
        panic!("seed {seed}, case {case}: {problem}\n{}", text(&spec));
    }
}

/// Whether diagnoses and conflicts are those that each set of conjuncts, asked about alone, gives;
/// how many there are, if all of that could be answered.
fn diagnoses(spec: &LtlSpec) -> Result<Option<(usize, usize)>, String> {
    let apart = taken_apart(spec);
    let (assumed, guarantees) = (indices(&apart, true), indices(&apart, false));
    if guarantees.len() > 6 || judged(spec) != Some(false) {
        return Ok(None);
    }
    let (mut losing, mut resolving) = (Vec::new(), Vec::new());
    for kept in choices(&guarantees) {
        let mut parts = assumed.clone();
        parts.extend(&kept);
        match judged(&apart.with_parts(&parts)) {
            None => return Ok(None),
            Some(false) => losing.push(kept),
            Some(true) => {
                let removed = guarantees.iter().filter(|index| !kept.contains(index));
                resolving.push(removed.copied().collect());
            }
        }
    }
    let found = explained(spec, &[answer::Part::Diagnoses])?;
    let found = found.diagnoses.ok_or("no diagnoses")?;
    if !found.open.is_empty() || found.unfinished.is_some() {
        return Err(format!("open {:?}, {:?}", found.open, found.unfinished));
    }
    let expected = names(&apart, smallest(resolving));
    if shown(&found.diagnoses) != expected {
        return Err(format!("{:?}, not {expected:?}", shown(&found.diagnoses)));
    }
    let expected = names(&apart, smallest(losing));
    let conflicts = shown(&found.conflicts);
    if !conflicts.is_subset(&expected) || conflicts.is_empty() {
        return Err(format!("conflicts {conflicts:?}, not of {expected:?}"));
    }
    let sizes = found.diagnoses.iter().map(Vec::len);
    if !sizes.is_sorted() {
        return Err("not in order of size".to_string());
    }
    Ok(Some((found.conflicts.len(), found.diagnoses.len())))
}

#[test]
fn diagnoses_are_those_of_an_exhaustive_search() {
    let (mut judged, mut several, mut conflicts) = (0, 0, 0);
    on_random(7_000_000, cases(400), &mut |spec| {
        if let Some((found, ways)) = diagnoses(spec)? {
            judged += 1;
            conflicts += usize::from(found > 1);
            several += usize::from(ways > 1);
        }
        Ok(())
    });
    println!("{judged} judged: {several} with several diagnoses, {conflicts} with conflicts");
    assert!(
        judged >= 50 && several >= 10 && conflicts >= 3,
        "{judged}, {several}, {conflicts}"
    );
}

/// Whether a system breaks one of the chosen assumptions on every run: by one formula, without
/// sections.
pub fn can_force(spec: &LtlSpec, chosen: &[usize]) -> Option<bool> {
    let mut asked = spec.with_parts(&[]);
    asked.is_strict = false;
    let formulas: Vec<FormulaId> = chosen
        .iter()
        .map(|index| match spec.parts[*index].section {
            Section::Require => asked.formulas.globally(spec.parts[*index].formula),
            _ => spec.parts[*index].formula,
        })
        .collect();
    let all = asked.formulas.and(formulas);
    asked.parts.push(Part {
        section: Section::Guarantee,
        name: "some_fails".to_string(),
        span: None,
        formula: asked.formulas.not(all),
    });
    judged(&asked)
}

/// Whether what is said of assumptions that can be made to fail is so; and that they can be.
fn separation(spec: &LtlSpec) -> Result<Option<bool>, String> {
    let assumed = indices(spec, true);
    let mut failing = Vec::new();
    for chosen in choices(&assumed) {
        match can_force(spec, &chosen) {
            None => return Ok(None),
            Some(true) => failing.push(chosen),
            Some(false) => {}
        }
    }
    let found = explained(spec, &[answer::Part::Separation])?;
    let Some(found) = found.separation else {
        return Err(format!("nothing is said: {:?}", found.missing));
    };
    if !found.is_from_start {
        // It is GR(1), and was answered as such; other tests are about that.
        let mut all = found.cases.iter();
        let forced = all.any(|case| case.position == Position::All);
        return match forced != failing.is_empty() {
            true => Ok(None),
            false => Err(format!("as GR(1) {:?}, by formulas {forced}", found.cases)),
        };
    }
    if !found.certified {
        return Err("not certified".to_string());
    }
    if found.cases.is_empty() != failing.is_empty() {
        return Err(format!("{:?}, but {failing:?} can fail", found.cases));
    }
    if failing.is_empty() {
        return Ok(Some(false));
    }
    let cores = names(spec, smallest(failing.clone()));
    let core = shown(std::slice::from_ref(&found.core));
    if !core.is_subset(&cores) {
        return Err(format!("core {core:?}, not of {cores:?}"));
    }
    let mut formulas = spec.formulas.clone();
    let mut is_safe =
        |index: &usize| classify(&mut formulas, spec.parts[*index].formula) == Class::Safety;
    let in_finite_time = failing.iter().any(|set| set.iter().all(&mut is_safe));
    if found.safety_core.is_empty() == in_finite_time {
        return Err(format!("safe ones can fail: {in_finite_time}"));
    }
    let by_waiting = found.cases.iter().any(|case| case.part == Failing::Justice);
    if by_waiting == in_finite_time {
        return Err(format!(
            "{:?}, in finite time: {in_finite_time}",
            found.cases
        ));
    }
    Ok(Some(true))
}

#[test]
fn assumptions_that_can_be_made_to_fail_are_those_of_another_formula() {
    let (mut kept, mut forced) = (0, 0);
    on_random(8_000_000, cases(500), &mut |spec| {
        match separation(spec)? {
            Some(true) => forced += 1,
            Some(false) => kept += 1,
            None => {}
        }
        Ok(())
    });
    println!("{kept} kept, {forced} made to fail");
    assert!(kept >= 100 && forced >= 50, "{kept} kept, {forced} forced");
}

#[test]
fn an_invariant_over_inputs_is_well_separated() {
    let mut file = respin::spec::Spec::new();
    let source = "assume never: G !(a & b); assume fair: G F a; assert live: G F x; assert early: \
                  F G (x | X a);";
    let mut sources = respin::source::Sources::new();
    let id = sources.add("m.ltl", source);
    file.add_property_file(id, source).expect("formulas");
    let inputs = ["a".to_string(), "b".to_string()];
    let spec = LtlSpec::from_properties(&file, &inputs, &["x".to_string()]).expect("signals");
    let found = explained(&spec, &[answer::Part::Separation]).expect("an answer");
    assert!(matches!(&found.verdict, Verdict::Certified(verdict) if verdict.is_realizable()));
    let separation = found.separation.expect("an answer");
    assert!(separation.cases.is_empty() && separation.certified && separation.is_from_start);
}
