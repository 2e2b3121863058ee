//! Random specifications: explanations are what they claim to be.

use crate::explicit::Explicit;
use crate::sketch::{Shape, Sketch, Tree};
use crate::support::{game, names};
use respin::bdd::Limits;
use respin::certify::gr1::{Lasso, keeps};
use respin::explain::answer::{self, Confirmation, Missing};
use respin::explain::separation::{Case, Part, Position, Scope, Separation, relevant_part};
use respin::explain::{
    Approximation, Bounds, Counterstrategy, Element, Forced, Minimizer, Oracle, Semantics, Subset,
    all_explanations, approximate, certificate, core, countertrace, diagnose, explain, forcing,
    graph, helpful, single_faults,
};
use respin::game::gr1::{Selection, Switched, realizable_without_each};
use respin::load::{AnySpec, Format, LoadedGr1};
use respin::random::Random;
use respin::spec::gr1::{Gr1, Kind, Past, Player, Side, TermId, VariableId};
use respin::synth;
use std::collections::BTreeSet;

const SHAPE: Shape = Shape {
    words: false,
    assume_system: false,
};

/// Some assumptions speak of first and next values of the system.
const ANSWERED: Shape = Shape {
    words: false,
    assume_system: true,
};

/// Runs a check on random specifications; the smallest that fails is shown.
fn on_each(seeds: std::ops::Range<u64>, shape: Shape, check: fn(&Sketch) -> Result<(), String>) {
    for seed in seeds {
        let mut sketch = Sketch::random(&mut Random::new(seed), shape);
        let Err(mut problem) = check(&sketch) else {
            continue;
        };
        loop {
            let smaller = sketch
                .smaller()
                .into_iter()
                .find_map(|smaller| Some((check(&smaller).err()?, smaller)));
            match smaller {
                Some((smaller_problem, smaller)) => {
                    problem = smaller_problem;
                    sketch = smaller;
                }
                None => panic!("seed {seed}: {problem} in\n{sketch}"),
            }
        }
    }
}

fn separation_agrees(sketch: &Sketch) -> Result<(), String> {
    separation_of(&sketch.build())
}

fn separation_of(spec: &Gr1) -> Result<(), String> {
    let spec = relevant_part(spec, Scope::Environment);
    let game = game(&spec);
    let mut separation = Separation::new(&game).unwrap();
    let cases = separation.cases().unwrap();
    let found: Vec<String> = cases.iter().map(|case| case.text()).collect();
    let expected = Explicit::new(&spec).cases();
    if found != expected {
        return Err(format!("{found:?} in place of {expected:?}"));
    }
    if found.is_empty() || found[0].contains("E-ini") {
        return Ok(());
    }
    for justice in [false, true] {
        let forced = Forced::new(separation.rules(), justice).unwrap();
        let Some((path, state)) = separation.trace_to(forced.states()).unwrap() else {
            if justice {
                return Err("nothing is forced".to_string());
            }
            continue;
        };
        let Some(play) = forcing(&game, separation.rules(), &forced, &state).unwrap() else {
            return Err("no play shows how".to_string());
        };
        if path.last() != play.states.first() {
            return Err("the play starts elsewhere".to_string());
        }
        let start = play.states.first().map(Vec::as_slice);
        let checked = certificate::check_forced(&game, separation.rules(), &forced, start);
        if let Err(flaw) = checked.unwrap() {
            return Err(format!("justice {justice}: {}", flaw.0));
        }
        let core = separation.core(justice).unwrap();
        let core = core.ok_or("forced, but without a core")?;
        for member in &core {
            let rest: Vec<_> = core.iter().copied().filter(|one| one != member).collect();
            let forced = separation.forced_by(&rest, justice).unwrap();
            if separation.first_meeting(forced.states()).unwrap().is_some() {
                return Err("the core is not minimal".to_string());
            }
        }
    }
    Ok(())
}

#[test]
fn separation_agrees_with_tables_and_is_certified() {
    on_each(0..500, SHAPE, separation_agrees);
}

#[test]
fn separation_of_words_agrees_with_tables_and_is_certified() {
    let shape = Shape {
        words: true,
        ..SHAPE
    };
    on_each(1000..1100, shape, separation_agrees);
}

/// The sketch with assumptions about single states that remember what they were about: whenever the
/// first variable holds, it held before, at some time or always.
fn remembering(sketch: &Sketch) -> Gr1 {
    let mut spec = sketch.build();
    let past: [fn(TermId) -> Past; 3] = [Past::Once, Past::Previous, Past::Historically];
    let (mut place, asked) = (0, spec.terms.now(VariableId(0)));
    for index in 0..spec.constraints.len() {
        let (side, kind, term) = {
            let constraint = &spec.constraints[index];
            (constraint.side, constraint.kind, constraint.term)
        };
        let is_safety = side == Side::Assumption && kind == Kind::Safety;
        if place < 2 && is_safety && !spec.terms.has_primed(term) {
            let remembered = spec.past(past[(index + place) % 3](term), None);
            spec.constraints[index].term = spec.terms.implies(asked, remembered);
            place += 1;
        }
    }
    spec
}

#[test]
fn separation_of_what_is_remembered_agrees_with_tables_and_is_certified() {
    on_each(1200..1600, SHAPE, |sketch| {
        let spec = remembering(sketch);
        // Tables of more states take long.
        match spec.variables.len() {
            0..=6 => separation_of(&spec),
            _ => Ok(()),
        }
    });
}

/// All minimal conflicts of a small universe, by trying all sets.
fn all_conflicts(oracle: &mut Oracle, members: &[usize], base: &Subset) -> BTreeSet<String> {
    let mut conflicts: Vec<u32> = Vec::new();
    let mut sets: Vec<u32> = (0..1 << members.len()).collect();
    sets.sort_by_key(|set| set.count_ones());
    let mut found = BTreeSet::new();
    for set in sets {
        if conflicts.iter().any(|other| other & set == *other) {
            continue;
        }
        let chosen = (0..members.len()).filter(|bit| set >> bit & 1 == 1);
        let subset = Subset::of(oracle.size(), chosen.map(|bit| members[bit]));
        let rules = oracle.rules(&subset.union(base)).unwrap();
        if !rules.solve().unwrap().realizable {
            conflicts.push(set);
            found.insert(names(oracle, &subset));
        }
    }
    found
}

fn conflicts_are_complete(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let whole = oracle.whole();
    let members: Vec<usize> = whole.iter().collect();
    if members.len() > 9 {
        return Ok(());
    }
    let nothing = oracle.set([]);
    let expected = all_conflicts(&mut oracle, &members, &nothing);
    let found = core(&mut oracle, Minimizer::DeltaDebugging, true).unwrap();
    match &found {
        None if expected.is_empty() => return Ok(()),
        None => return Err("a conflict was missed".to_string()),
        Some(core) if !expected.contains(&names(&oracle, core)) => {
            return Err(format!("{} is no minimal conflict", names(&oracle, core)));
        }
        Some(_) => {}
    }
    let bounds = Bounds {
        diagnoses: usize::MAX,
        size: usize::MAX,
        conflicts: usize::MAX,
    };
    for minimizer in [Minimizer::DeltaDebugging, Minimizer::QuickXplain] {
        let diagnoses = diagnose(&mut oracle, minimizer, &whole, bounds);
        for conflict in &diagnoses.conflicts {
            if !expected.contains(&names(&oracle, conflict)) {
                let conflict = names(&oracle, conflict);
                return Err(format!("{conflict} is no minimal conflict"));
            }
        }
        for diagnosis in &diagnoses.diagnoses {
            let rest = whole.minus(diagnosis);
            if oracle.conflicts(&rest).unwrap() {
                return Err(format!("{} resolves nothing", names(&oracle, diagnosis)));
            }
            for member in diagnosis.iter() {
                let mut more = rest.clone();
                more.insert(member);
                if !oracle.conflicts(&more).unwrap() {
                    return Err(format!("{} is too much", names(&oracle, diagnosis)));
                }
            }
        }
        if diagnoses.diagnoses.is_empty() {
            return Err("no diagnosis".to_string());
        }
        let mut alone = Vec::new();
        let mut fresh = Oracle::new(&game, Semantics::Strict);
        let conflict = &diagnoses.conflicts[0];
        single_faults(&mut fresh, conflict, &mut |member| alone.push(member)).unwrap();
        let singles = diagnoses.diagnoses.iter().filter(|one| one.len() == 1);
        let singles: BTreeSet<usize> = singles.flat_map(Subset::iter).collect();
        if singles != alone.iter().copied().collect() {
            return Err(format!("single faults are {singles:?}, not {alone:?}"));
        }
    }
    // Over guarantees only, with one variable for each.
    let outputs = oracle.outputs();
    let guarantees: Vec<usize> = oracle.guarantees().iter().collect();
    let expected = all_conflicts(&mut oracle, &guarantees, &outputs);
    let all = all_explanations(&oracle, false, usize::MAX).unwrap();
    let all: BTreeSet<String> = all.iter().map(|set| names(&oracle, set)).collect();
    if all != expected {
        return Err(format!(
            "activation variables give {all:?}, not {expected:?}"
        ));
    }
    Ok(())
}

#[test]
fn conflicts_and_diagnoses_are_those_of_an_exhaustive_search() {
    on_each(2000..2300, SHAPE, conflicts_are_complete);
}

/// One game for all parts that are left out says of each what a game of its own says.
fn parts_left_out_agree(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let game = game(&spec);
    let everything = Selection::everything(&spec);
    let constraints = spec.constraint_ids();
    let constraints = constraints.filter(|id| spec.constraint(*id).definition.is_none());
    let outputs = spec.variable_ids().filter(|id| {
        let variable = spec.variable(*id);
        variable.owner == Player::System && !variable.is_auxiliary()
    });
    let mut parts: Vec<Switched> = constraints.map(Switched::Constraint).collect();
    parts.extend(outputs.map(Switched::Output));
    // Each alone, and each with the next one.
    let mut sets: Vec<Vec<Switched>> = parts.iter().map(|part| vec![*part]).collect();
    sets.extend(parts.windows(2).map(<[Switched]>::to_vec));
    let together = realizable_without_each(&spec, &everything, &sets, Limits::default()).unwrap();
    for (set, together) in sets.iter().zip(together) {
        let mut selection = everything.clone();
        for part in set {
            match part {
                Switched::Constraint(id) => selection.set(*id, false),
                Switched::Output(variable) => {
                    selection.released.insert(*variable);
                }
            }
        }
        let alone = game.is_realizable(&selection).unwrap();
        if alone != together {
            return Err(format!("{set:?}: {together} together, {alone} alone"));
        }
    }
    Ok(())
}

#[test]
fn parts_left_out_together_are_those_left_out_alone() {
    on_each(9000..9200, SHAPE, parts_left_out_agree);
    let shape = Shape {
        words: true,
        assume_system: true,
    };
    on_each(9200..9400, shape, parts_left_out_agree);
}

/// A walk finds plays that keep both sides only where there are such, and mostly where there are.
fn walks_keep_both_sides(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let game = game(&spec);
    for selection in [
        Selection::everything(&spec),
        Selection::side(&spec, Side::Assumption),
        Selection::side(&spec, Side::Guarantee),
    ] {
        let Some(play) = game.short_play(&selection).unwrap() else {
            continue;
        };
        let lasso = Lasso {
            steps: &play.steps,
            loop_start: play.loop_start,
        };
        if !keeps(&spec, lasso, &|id| selection.has(id)) {
            return Err(format!("{play:?} breaks a constraint"));
        }
        if !game.is_satisfiable(&selection).unwrap() {
            return Err(format!("{play:?} is there, and all states say no"));
        }
    }
    Ok(())
}

#[test]
fn plays_that_a_walk_finds_keep_both_sides() {
    on_each(0..500, SHAPE, walks_keep_both_sides);
}

/// How many of the specifications that have a play get one by walking.
#[test]
fn walks_find_most_plays() {
    let (mut all, mut found) = (0, 0);
    for seed in 0..300 {
        let spec = Sketch::random(&mut Random::new(seed), SHAPE).build();
        let (game, everything) = (game(&spec), Selection::everything(&spec));
        if game.is_satisfiable(&everything).unwrap() {
            all += 1;
            found += usize::from(game.short_play(&everything).unwrap().is_some());
        }
    }
    assert!(all > 50 && 4 * found > 3 * all, "{found} of {all}");
}

fn plays_are_certified(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let Some(core) = core(&mut oracle, Minimizer::QuickXplain, true).unwrap() else {
        return Ok(());
    };
    let sets = [core, oracle.whole()];
    for set in sets {
        let rules = oracle.rules(&set).unwrap();
        let strategy = Counterstrategy::new(rules).unwrap();
        let strategy = strategy.ok_or("a conflict is realizable")?;
        let checked =
            certificate::check_counterplay(&game, strategy.rules(), strategy.counterplay());
        if let Err(flaw) = checked.unwrap() {
            return Err(format!("the counterstrategy has a flaw: {}", flaw.0));
        }
        let whole = game.rules(&Selection::everything(&spec)).unwrap();
        if let Some(trace) = countertrace(&strategy, Some(&whole)).unwrap()
            && let Err(flaw) = certificate::check_countertrace(&game, &spec, &trace, &[]).unwrap()
        {
            return Err(format!("the countertrace has a flaw: {}", flaw.0));
        }
        let plays = graph(&strategy, &oracle.selection(&set).released, 10_000).unwrap();
        if plays.truncated {
            return Err("the graph is too large".to_string());
        }
    }
    Ok(())
}

#[test]
fn counterstrategies_and_countertraces_are_certified() {
    on_each(3000..3300, SHAPE, plays_are_certified);
    let shape = Shape {
        words: true,
        assume_system: true,
    };
    on_each(4000..4150, shape, plays_are_certified);
}

fn approximations_are_right(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let game = game(&spec);
    let rules = game.rules(&Selection::everything(&spec)).unwrap();
    let realizable = rules.solve().unwrap().realizable;
    match approximate(&rules).unwrap() {
        Approximation::Realizable if !realizable => Err("not realizable".to_string()),
        Approximation::Unrealizable(_) if realizable => Err("realizable".to_string()),
        _ => Ok(()),
    }
}

#[test]
fn approximations_never_contradict_the_solver() {
    on_each(5000..6000, SHAPE, approximations_are_right);
}

/// Variables that stay as they are, as an option of the game and as constraints: still inputs
/// do not help the environment, and still outputs do not help the system.
fn frozen_variables_are_constrained(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let is_realizable = |selection: &Selection| game(&spec).is_realizable(selection).unwrap();
    let usually = is_realizable(&Selection::everything(&spec));
    for player in [Player::Environment, Player::System] {
        let side = match player {
            Player::Environment => Side::Assumption,
            Player::System => Side::Guarantee,
        };
        let variables = spec.variable_ids().zip(&sketch.variables);
        let own = variables.filter(|(_, (owner, _))| *owner == player);
        let own: Vec<VariableId> = own.map(|(id, _)| id).collect();
        let mut selection = Selection::everything(&spec);
        let mut constrained = sketch.clone();
        for variable in own {
            let place = variable.0 as usize;
            let same = Tree::Same((place, false), (place, true));
            constrained.constraints.push((side, Kind::Safety, same));
            selection.frozen_variables.insert(variable);
            let with_option = is_realizable(&selection);
            let expected = synth::gr1::solve(&constrained.build(), Limits::default()).unwrap();
            let expected = expected.is_ok_and(|verdict| verdict.is_realizable());
            if with_option != expected {
                return Err(format!("realizable: {with_option} with the option"));
            }
            let is_odd = match player {
                Player::Environment => usually && !with_option,
                Player::System => !usually && with_option,
            };
            if is_odd {
                return Err(format!("{player:?} wins by doing less"));
            }
        }
    }
    Ok(())
}

#[test]
fn variables_that_stay_as_they_are_are_made_to() {
    on_each(5000..5500, SHAPE, frozen_variables_are_constrained);
    let shape = Shape {
        words: true,
        assume_system: true,
    };
    on_each(4000..4200, shape, frozen_variables_are_constrained);
}

/// The implication as an option of the game is that of the specification.
fn implications_agree(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let own_game = game(&spec);
    let mut oracle = Oracle::new(&own_game, Semantics::Implication);
    let whole = oracle.whole();
    let conflicts = oracle.conflicts(&whole).unwrap();
    let other = spec.as_implication();
    let other_game = game(&other);
    let realizable = other_game.is_realizable(&Selection::everything(&other));
    if conflicts == realizable.unwrap() {
        return Err(format!("realizable = {conflicts} is expected"));
    }
    Ok(())
}

#[test]
fn both_ways_to_read_an_implication_agree() {
    on_each(7000..7500, SHAPE, implications_agree);
    on_each(7500..8000, ANSWERED, implications_agree);
}

/// Everything that `explain` says of an unrealizable specification is certified.
fn explanations_are_certified(sketch: &Sketch, semantics: Semantics) -> Result<(), String> {
    let spec = AnySpec::Gr1(Box::new(LoadedGr1 {
        spec: sketch.build(),
        semantics,
        format: Format::Spectra,
    }));
    // Changes are judged in `changes`, and take longer than all the others.
    let options = answer::Options {
        only: vec![
            answer::Part::Core,
            answer::Part::Diagnoses,
            answer::Part::Fix,
            answer::Part::Countertrace,
            answer::Part::Counterstrategy,
            answer::Part::Assumptions,
            answer::Part::Separation,
        ],
        ..answer::Options::default()
    };
    let found = explain(&spec, &options, &mut |_| {}).unwrap();
    let is_doubt = |missing: &&Missing| matches!(missing, Missing::NotConfirmed(..));
    if let Some(doubt) = found.missing.iter().find(is_doubt) {
        return Err(format!("{doubt:?}"));
    }
    if let Some(core) = found.core
        && !matches!(core.confirmation, Confirmation::Certified(_))
    {
        return Err("the core is not certified".to_string());
    }
    if let Some(fix) = found.fix
        && !matches!(fix.confirmation, Confirmation::Certified(_))
    {
        return Err("the fix is not certified".to_string());
    }
    Ok(())
}

#[test]
fn explanations_of_random_specifications_are_certified() {
    on_each(9000..9150, SHAPE, |sketch| {
        explanations_are_certified(sketch, Semantics::Strict)
    });
}

#[test]
fn explanations_of_random_implications_are_certified() {
    for (seeds, shape) in [(9200..9350, SHAPE), (9350..9500, ANSWERED)] {
        on_each(seeds, shape, |sketch| {
            explanations_are_certified(sketch, Semantics::Implication)
        });
    }
}

/// Under the implication, the system can make assumptions fail whatever the environment starts with
/// if and only if it wins without any guarantee that it could keep.
fn separation_is_that_of_the_implication(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let mut never = spec.clone();
    never
        .constraints
        .retain(|one| one.side == Side::Assumption || one.definition.is_some());
    let nothing = never.terms.boolean(false);
    never.add_constraint(None, Side::Guarantee, Kind::Justice, nothing, None);
    let never = never.as_implication();
    let can_force = game(&never)
        .is_realizable(&Selection::everything(&never))
        .unwrap();
    let loaded = AnySpec::Gr1(Box::new(LoadedGr1 {
        spec,
        semantics: Semantics::Implication,
        format: Format::Spectra,
    }));
    let options = answer::Options {
        only: vec![answer::Part::Separation],
        ..answer::Options::default()
    };
    let found = explain(&loaded, &options, &mut |_| {}).unwrap();
    let separation = found
        .separation
        .ok_or_else(|| format!("{:?}", found.missing))?;
    let is_all = |case: &Case| case.position == Position::All;
    if separation.cases.iter().any(is_all) != can_force {
        return Err(format!("{:?}, expected: {can_force}", separation.cases));
    }
    // Where nothing can begin, there is no play to certify.
    let begins = |case: &Case| case.part != Part::Initial;
    if separation.cases.iter().any(begins) && !separation.certified {
        return Err("not certified".to_string());
    }
    Ok(())
}

#[test]
fn what_the_system_breaks_itself_is_not_well_separated_under_the_implication() {
    on_each(9500..9700, SHAPE, separation_is_that_of_the_implication);
    on_each(9700..9900, ANSWERED, separation_is_that_of_the_implication);
}

fn sufficient_assumptions_are_minimal(sketch: &Sketch) -> Result<(), String> {
    let spec = sketch.build();
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let whole = oracle.whole();
    if oracle.conflicts(&whole).unwrap() {
        let fix = helpful::minimal_fix(&mut oracle, Minimizer::DeltaDebugging).unwrap();
        if oracle.conflicts(&whole.minus(&fix)).unwrap() {
            return Err("the fix is none".to_string());
        }
        return Ok(());
    }
    let lacks = oracle.lacks();
    let kept = helpful::sufficient(&mut oracle, Minimizer::QuickXplain, &whole).unwrap();
    let minimal = whole.union(&lacks.minus(&kept));
    if oracle.conflicts(&minimal).unwrap() {
        return Err("the assumptions do not suffice".to_string());
    }
    for member in kept.iter() {
        let mut fewer = minimal.clone();
        fewer.insert(member);
        if !oracle.conflicts(&fewer).unwrap() {
            return Err("there are too many assumptions".to_string());
        }
    }
    let needed = helpful::needing_guarantees(&mut oracle, Minimizer::QuickXplain, &kept);
    let needed = needed.unwrap().union(&oracle.outputs());
    for member in kept.iter() {
        let Element::Lack(_) = oracle.element(member) else {
            return Err("not an assumption".to_string());
        };
        let mut fewer = needed.union(&lacks.minus(&kept));
        fewer.insert(member);
        if !oracle.conflicts(&fewer).unwrap() {
            return Err("no guarantee needs an assumption".to_string());
        }
    }
    Ok(())
}

#[test]
fn fixes_and_sufficient_assumptions_are_minimal() {
    on_each(8000..8300, SHAPE, sufficient_assumptions_are_minimal);
}
