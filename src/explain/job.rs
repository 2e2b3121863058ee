//! Why nothing satisfies a specification, or what its verdict rests on: the whole job.
//!
//! Each part is explained with the time that is left; what is not ready is named. What is
//! there was confirmed: cores and plays by claims that `certify` has checked. A part that is
//! not confirmed is left out, and the others are there all the same.

use super::additions::{Conflicts, Ground, additions};
use super::answer::{self, Confirmation, Explanation, Missing, Options, Part, Verdict, Wanted};
use super::check::decide_gr1;
use super::separation::{Scope, Separation, relevant_part};
use super::told;
use super::weaken::weakenings;
use super::{
    Bounds, Counterstrategy, Countertrace, Element, Forced, Narrator, Oracle, Story, Subset,
    all_explanations, certificate, core, countertrace, diagnose, forcing, graph, helpful, hold,
};
use crate::bdd;
use crate::certify::{self, Certified, MinimalConflict, Realizability};
use crate::explain::ltl::{Lookahead, explain_ltl, lookahead};
use crate::game::gr1::{Gr1Game, Recurrence, Selection};
use crate::load::{AnySpec, LoadedGr1};
use crate::source::Diagnostic;
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1};
use crate::spec::ltl::LtlSpec;
use std::time::{Duration, Instant};

/// Graphs of plays are cut here.
const NODES: usize = 1000;
/// Whether knowing inputs in advance would help is asked for so many bits, and so long.
const FEW_BITS: usize = 10;
const LOOKING_AHEAD: Duration = Duration::from_secs(2);
/// Assumptions to add are looked for as long as the rest took, but at least so long.
const CHANGING: Duration = Duration::from_secs(10);
/// So many explanations with activation variables are enough.
const EXPLANATIONS: usize = 1000;

/// Explains a specification of either kind. `watch` is told what is being done.
///
/// ```
/// use respin::{SpecOptions, explain, spec_from_text};
///
/// let text = "module Copy env boolean a; sys boolean b; gar same: G (b = next(a));";
/// let (spec, _) = spec_from_text("copy.spectra", text, &SpecOptions::default())?;
/// let found = explain(&spec, &explain::answer::Options::default(), &mut |_| {})?;
/// assert_eq!(found.core.expect("nobody knows the next input").items[0].name, "same");
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn explain(
    spec: &AnySpec,
    options: &Options,
    watch: &mut dyn FnMut(&str),
) -> Result<Explanation, Vec<Diagnostic>> {
    match spec {
        AnySpec::Gr1(loaded) => explain_gr1(loaded, options, watch),
        AnySpec::Ltl(loaded) => explain_ltl(loaded, options, watch),
    }
}

fn explain_gr1(
    loaded: &LoadedGr1,
    options: &Options,
    watch: &mut dyn FnMut(&str),
) -> Result<Explanation, Vec<Diagnostic>> {
    let game = match Gr1Game::new(&loaded.spec, options.limits.clone()) {
        Ok(game) => game,
        Err(error) => return Ok(Explanation::new(Verdict::Limit(error, None))),
    };
    let mut work = Work {
        oracle: Oracle::new(&game, loaded.semantics),
        game: &game,
        loaded,
        options,
        answer: Explanation::new(Verdict::GaveUp(String::new())),
        start: Instant::now(),
    };
    watch("looking for a core");
    let found = core(&mut work.oracle, options.minimizer, true);
    match &found {
        Ok(Some(core)) => {
            watch("explaining the conflict");
            work.unrealizable(core, watch)?;
        }
        Ok(None) => {
            watch("looking for the assumptions that matter");
            work.realizable()?;
        }
        Err(error) => work.answer.verdict = Verdict::Limit(*error, None),
    }
    if options.wants(Part::Separation) {
        watch("asking whether assumptions can be made to fail");
        work.separation();
    }
    if let (true, Ok(found)) = (options.all_explanations, &found) {
        work.all_explanations(found.is_none());
    }
    work.answer.checks = work.oracle.statistics.checks();
    Ok(work.answer)
}

pub(super) struct Work<'a> {
    game: &'a Gr1Game,
    pub(super) loaded: &'a LoadedGr1,
    pub(super) oracle: Oracle<'a>,
    pub(super) options: &'a Options,
    answer: Explanation,
    pub(super) start: Instant,
}

/// How the environment wins against a core, and the verdict that this proves.
struct Refutation<'a> {
    strategy: Counterstrategy<'a>,
    /// `None` under the implication: claims are about strict semantics.
    verdict: Option<Realizability>,
}

/// No inputs were found that every system fails against.
struct NoTrace;

/// A countertrace as it was found, and as it was certified.
type CertifiedTrace = (Countertrace, Certified<certify::Countertrace>);

impl<'a> Work<'a> {
    pub(super) fn is_strict(&self) -> bool {
        self.loaded.semantics == Semantics::Strict
    }

    pub(super) fn not_confirmed(&mut self, wanted: Wanted, flaw: impl Into<String>) {
        let missing = Missing::NotConfirmed(wanted, flaw.into());
        self.answer.missing.push(missing);
    }

    fn unrealizable(
        &mut self,
        found: &Subset,
        watch: &mut dyn FnMut(&str),
    ) -> Result<(), Vec<Diagnostic>> {
        let mut core = found.clone();
        let mut refutation = self.refute(&core);
        if matches!(refutation, Ok(Err(_)))
            && let Ok(Some(exact)) = self.exact_core()
        {
            core = exact;
            refutation = self.refute(&core);
        }
        if self.options.wants(Part::Core)
            && let Some((shrunk, confirmation)) = self.confirm(&core)
        {
            if shrunk != core {
                core = shrunk;
                refutation = self.refute(&core);
            }
            self.core(&core, confirmation);
        }
        self.answer.verdict = match &refutation {
            Ok(Ok(Refutation {
                verdict: Some(verdict),
                ..
            })) => Verdict::Certified(verdict.clone()),
            _ => decide_gr1(&self.loaded.strict(), &self.options.limits)?,
        };
        if self.options.wants(Part::Countertrace) || self.options.wants(Part::Counterstrategy) {
            let told = match refutation {
                Ok(Ok(refutation)) => self.plays(&core, &refutation),
                Ok(Err(flaw)) => {
                    self.not_confirmed(Wanted::Counterstrategy, flaw);
                    Ok(())
                }
                Err(error) => Err(error),
            };
            if let Err(error) = told {
                self.answer.lacks(Wanted::Counterstrategy, error);
            }
        }
        if self.options.wants(Part::Fix) {
            self.fix();
        }
        if self.options.wants(Part::Diagnoses) {
            let diagnoses = self.diagnoses();
            self.smaller_fix(&diagnoses);
        }
        if self.options.wants(Part::Additions) || self.options.wants(Part::Weakenings) {
            watch("looking for assumptions to add");
            self.changes(&core);
        }
        Ok(())
    }

    /// Assumptions that would help, and guarantees that would be weak enough.
    fn changes(&mut self, core: &Subset) {
        let spec = self.oracle.spec();
        let limits = limits_of_changes(self.options, self.start);
        let game = match Gr1Game::new(spec, limits.clone()) {
            Ok(game) => game,
            Err(error) => return self.answer.lacks(Wanted::Additions, error),
        };
        let elements = self.oracle.elements_of(core);
        let guarantees = elements.iter().filter_map(|element| match element {
            Element::Guarantee(id) => Some(*id),
            Element::Output(_) | Element::Lack(_) => None,
        });
        // The last one is often the one that was added last.
        let guarantees: Vec<ConstraintId> = guarantees.rev().collect();
        let terms = guarantees.iter().map(|id| spec.constraint(*id).term);
        let variables = terms.flat_map(|term| spec.terms.variables(term));
        let ground = Ground {
            spec,
            semantics: self.loaded.semantics,
            limits,
            game,
            core: variables.map(|(variable, _)| variable).collect(),
            conflicts: Conflicts::new(guarantees.iter().copied().collect()),
        };
        if self.options.wants(Part::Additions) {
            let found = additions(&ground);
            if found.missing.is_none() {
                self.answer.additions = Some(found.additions);
            }
            self.answer.missing.extend(found.missing);
        }
        if self.options.wants(Part::Weakenings) {
            let (found, error) = weakenings(&ground, &guarantees);
            match error {
                Some(error) if found.is_empty() => self.answer.lacks(Wanted::Weakenings, error),
                None if found.is_empty() => self.answer.missing.push(Missing::NoWeakening),
                _ => {}
            }
            self.answer.weakenings = found;
        }
    }

    /// The counterstrategy of a core, certified against the whole specification; or what is
    /// wrong with it.
    fn refute(&mut self, core: &Subset) -> bdd::Result<Result<Refutation<'a>, String>> {
        let rules = self.oracle.rules(core)?;
        let Some(strategy) = Counterstrategy::new(rules)? else {
            return Ok(Err("the core is realizable".to_string()));
        };
        if !self.is_strict() {
            return Ok(Ok(Refutation {
                strategy,
                verdict: None,
            }));
        }
        let checked =
            certificate::check_counterplay(self.game, strategy.rules(), strategy.counterplay())?;
        Ok(match checked {
            Ok(verdict) => Ok(Refutation {
                strategy,
                verdict: Some(verdict),
            }),
            Err(flaw) => Err(flaw.0),
        })
    }

    fn core(&mut self, core: &Subset, confirmation: Confirmation<MinimalConflict>) {
        let minimizer = self.options.minimizer;
        let found = helpful::conflict_assumptions(&mut self.oracle, minimizer, core, core);
        let assumptions = match found {
            Ok(found) => told::items(&self.oracle, &found),
            Err(error) => {
                self.answer.lacks(Wanted::AssumptionsOfCore, error);
                Vec::new()
            }
        };
        self.answer.core = Some(answer::Core {
            items: told::items(&self.oracle, core),
            guarantees: self.oracle.guarantees().len(),
            outputs: self.oracle.outputs().len(),
            assumptions,
            confirmation,
        });
    }

    /// The counterstrategy of the core, and a countertrace if there is one.
    fn plays(&mut self, core: &Subset, refutation: &Refutation<'a>) -> bdd::Result<()> {
        let spec = self.oracle.spec();
        let strategy = &refutation.strategy;
        let selection = self.oracle.selection(core);
        let everything = Selection::everything(spec);
        let trace = self.certified_trace(strategy, &everything)?;
        let needs_whole = trace.as_ref().is_ok_and(|(trace, _)| trace.needs_whole);
        let narrated = if needs_whole { &everything } else { &selection };
        let narrator = Narrator::new(self.game, narrated, strategy)?;
        let mut shown: Option<Story> = None;
        match &trace {
            Ok((trace, certified)) => {
                let story = narrator.trace(trace)?;
                if self.options.wants(Part::Countertrace) {
                    self.answer.countertrace = Some(answer::Countertrace {
                        play: told::play(spec, &story),
                        certified: certified.clone(),
                    });
                }
                shown = Some(story);
            }
            Err(_) if !self.options.wants(Part::Countertrace) => {}
            Err(NoTrace) => match self.held_trace(core)? {
                Some(trace) => self.answer.countertrace = Some(trace),
                None => {
                    let missing = Missing::NoCountertrace(self.look_ahead(spec));
                    self.answer.missing.push(missing);
                }
            },
        }
        let plays = graph(strategy, &selection.released, NODES)?;
        if self.options.wants(Part::Counterstrategy) {
            let own = if trace.is_err() {
                narrator.play(&plays)?
            } else {
                None
            };
            self.answer.counterstrategy = Some(answer::Counterstrategy {
                states: plays.nodes.len(),
                truncated: plays.truncated,
                play: own.as_ref().map(|story| told::play(spec, story)),
                machine: None,
                certified: refutation.verdict.clone(),
            });
            shown = shown.or(own);
        }
        self.answer.shown = shown.map(|story| told::complete(&told::play(spec, &story).run));
        let ids = |list: &[Recurrence]| -> Vec<Option<ConstraintId>> {
            list.iter().map(|one| one.constraint).collect()
        };
        let rules = strategy.rules();
        let picture = told::picture(spec, &plays, &ids(&rules.goals), &ids(&rules.assumed));
        self.answer.graph = Some(picture);
        Ok(())
    }

    /// A countertrace, certified. The search looks at systems that keep the core; inputs that
    /// another one can answer, by making an assumption fail, are none.
    fn certified_trace(
        &self,
        strategy: &Counterstrategy<'a>,
        everything: &Selection,
    ) -> bdd::Result<Result<CertifiedTrace, NoTrace>> {
        let whole = self.game.rules(everything)?;
        let Some(trace) = countertrace(strategy, self.is_strict().then_some(&whole))? else {
            return Ok(Err(NoTrace));
        };
        let certified = self.certify_trace(self.game, &trace, &[])?;
        Ok(certified
            .map(|certified| (trace, certified))
            .map_err(|_| NoTrace))
    }

    /// Whether a small specification is realizable for systems that know inputs in advance.
    fn look_ahead(&self, spec: &Gr1) -> Lookahead {
        let bits: usize = spec.variables.iter().map(|one| one.domain.bits()).sum();
        match LtlSpec::from_gr1(spec) {
            Ok(same) if bits <= FEW_BITS => {
                let same = LtlSpec {
                    is_strict: self.is_strict(),
                    ..same
                };
                let end = Instant::now() + LOOKING_AHEAD;
                let limits = &self.options.limits;
                let limits = bdd::Limits {
                    deadline: Some(limits.deadline.map_or(end, |own| own.min(end))),
                    ..limits.clone()
                };
                lookahead(&same, &limits)
            }
            _ => Lookahead::Unknown,
        }
    }

    /// A countertrace for systems that leave the outputs outside of the core alone, if one was
    /// found that is certified.
    fn held_trace(&mut self, core: &Subset) -> bdd::Result<Option<answer::Countertrace>> {
        let Some(held) = hold(&self.oracle, core)? else {
            return Ok(None);
        };
        let rules = held.game.rules(&held.selection)?;
        let Some(strategy) = Counterstrategy::new(rules)? else {
            return Ok(None);
        };
        let Some(trace) = countertrace(&strategy, None)? else {
            return Ok(None);
        };
        let Ok(certified) = self.certify_trace(&held.game, &trace, &held.values)? else {
            return Ok(None);
        };
        let spec = held.game.spec();
        let story = Narrator::new(&held.game, &held.selection, &strategy)?.trace(&trace)?;
        let mut play = told::play(spec, &held.without_held(story));
        play.held = certified.held.clone();
        Ok(Some(answer::Countertrace { play, certified }))
    }

    fn fix(&mut self) {
        let found = helpful::minimal_fix(&mut self.oracle, self.options.minimizer);
        match found.and_then(|removed| self.certified_fix(removed)) {
            Ok(Ok(fix)) => self.answer.fix = Some(fix),
            Ok(Err(flaw)) => self.not_confirmed(Wanted::Fix, flaw),
            Err(error) => self.answer.lacks(Wanted::Fix, error),
        }
    }

    /// A diagnosis of guarantees alone is a fix: if one is smaller than the fix, it is shown.
    fn smaller_fix(&mut self, diagnoses: &[Subset]) {
        let Some(fix) = &self.answer.fix else {
            return;
        };
        let outputs = self.oracle.outputs();
        let of_guarantees = diagnoses.iter().filter(|set| !set.intersects(&outputs));
        let smallest = of_guarantees.min_by_key(|set| set.len());
        if let Some(smallest) = smallest.filter(|set| set.len() < fix.removed.len())
            && let Ok(Ok(smaller)) = self.certified_fix(smallest.clone())
        {
            self.answer.fix = Some(smaller);
        }
    }

    /// A minimal fix with what it needs; or what is wrong with it.
    fn certified_fix(&mut self, mut removed: Subset) -> bdd::Result<Result<answer::Fix, String>> {
        let minimizer = self.options.minimizer;
        let rest = self.oracle.whole().minus(&removed);
        let assumptions = helpful::sufficient(&mut self.oracle, minimizer, &rest)?;
        let confirmation = match self.certify_fix(&mut removed, &assumptions) {
            Ok(Ok(certified)) => Confirmation::Certified(certified),
            Ok(Err(Some(flaw))) => return Ok(Err(flaw)),
            Ok(Err(None)) | Err(_) => Confirmation::Open,
        };
        Ok(Ok(answer::Fix {
            removed: told::items(&self.oracle, &removed),
            assumptions: told::items(&self.oracle, &assumptions),
            confirmation,
        }))
    }

    fn diagnoses(&mut self) -> Vec<Subset> {
        let bounds = Bounds::of_explanations(self.options.all_diagnoses);
        let components = self.oracle.whole();
        let minimizer = self.options.minimizer;
        let found = diagnose(&mut self.oracle, minimizer, &components, bounds);
        let all = |sets: &[Subset]| {
            let sets = sets.iter();
            sets.map(|set| told::items(&self.oracle, set)).collect()
        };
        self.answer.diagnoses = Some(answer::Diagnoses {
            conflicts: all(&found.conflicts),
            diagnoses: all(&found.diagnoses),
            open: all(&found.open),
            unfinished: found.unfinished,
            lacks_conflicts: false,
        });
        found.diagnoses
    }

    fn realizable(&mut self) -> Result<(), Vec<Diagnostic>> {
        self.answer.verdict = decide_gr1(&self.loaded.strict(), &self.options.limits)?;
        if self.options.wants(Part::Assumptions) {
            match self.assumptions() {
                Ok(found) => self.answer.assumptions = Some(found),
                Err(error) => self.answer.lacks(Wanted::SufficientAssumptions, error),
            }
        }
        Ok(())
    }

    fn assumptions(&mut self) -> bdd::Result<answer::Assumptions> {
        let minimizer = self.options.minimizer;
        let whole = self.oracle.whole();
        let sufficient = helpful::sufficient(&mut self.oracle, minimizer, &whole)?;
        let needed = helpful::needing_guarantees(&mut self.oracle, minimizer, &sufficient)?;
        let unhelpful = helpful::unhelpful_assumptions(&mut self.oracle)?;
        let items = |set: &Subset| told::items(&self.oracle, set);
        Ok(answer::Assumptions {
            sufficient: items(&sufficient),
            needed_by: items(&needed),
            unhelpful: items(&unhelpful),
            total: self.oracle.lacks().len(),
        })
    }

    fn separation(&mut self) {
        match separate(self.loaded, &self.options.limits) {
            Ok(Ok(found)) => self.answer.separation = Some(found),
            Ok(Err(flaw)) => self.not_confirmed(Wanted::Separation, flaw),
            Err(error) => self.answer.lacks(Wanted::Separation, error),
        }
    }

    fn all_explanations(&mut self, realizable: bool) {
        match all_explanations(&self.oracle, realizable, EXPLANATIONS) {
            Ok(sets) => {
                let sets = sets.iter().map(|set| told::items(&self.oracle, set));
                self.answer.all = Some(sets.collect());
            }
            Err(error) => self.answer.lacks(Wanted::AllExplanations, error),
        }
    }
}

/// All the time there is if changes are asked for; otherwise about as much as was used so far, and
/// some seconds.
pub(super) fn limits_of_changes(options: &Options, start: Instant) -> bdd::Limits {
    let limits = &options.limits;
    if !options.only.is_empty() {
        return limits.clone();
    }
    let end = Instant::now() + start.elapsed().max(CHANGING);
    bdd::Limits {
        deadline: Some(limits.deadline.map_or(end, |own| own.min(end))),
        ..limits.clone()
    }
}

/// Which cases of non-separation there are, with what forces them; or what is wrong with it.
pub(super) fn separate(
    loaded: &LoadedGr1,
    limits: &bdd::Limits,
) -> bdd::Result<Result<answer::Separation, String>> {
    let spec = &loaded.separable();
    let part = relevant_part(spec, Scope::Environment);
    let game = Gr1Game::new(&part, limits.clone())?;
    let mut separation = Separation::new(&game)?;
    let mut found = answer::Separation {
        cases: separation.cases()?,
        ..answer::Separation::default()
    };
    if found.cases.is_empty() {
        return Ok(Ok(found));
    }
    let items = |ids: Option<Vec<ConstraintId>>| -> Vec<answer::Item> {
        let ids = ids.unwrap_or_default();
        ids.iter()
            .map(|id| told::constraint(&loaded.spec, *id))
            .collect()
    };
    found.core = items(separation.core(true)?);
    found.safety_core = items(separation.core(false)?);
    let justice = found.safety_core.is_empty();
    let forced = Forced::new(separation.rules(), justice)?;
    if let Some((path, state)) = separation.trace_to(forced.states())? {
        if let Some(forcing) = forcing(&game, separation.rules(), &forced, &state)? {
            found.ending = Some(told::forced_ending(spec, &forcing));
            found.forcing = Some(told::states(spec, &forcing.states));
            let start = forcing.states.first().map(Vec::as_slice);
            let checked = certificate::check_forced(&game, separation.rules(), &forced, start)?;
            if let Err(flaw) = checked {
                return Ok(Err(flaw.0));
            }
            found.certified = true;
        }
        found.trace = Some(told::states(spec, &path));
    }
    let guarded = relevant_part(spec, Scope::Guarantees);
    let guarded_game = Gr1Game::new(&guarded, limits.clone())?;
    found.with_guarantees = Some(Separation::new(&guarded_game)?.cases()?);
    Ok(Ok(found))
}
