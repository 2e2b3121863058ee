//! All properties of a design, those that are safe together.
//!
//! The safe parts of all properties become bad steps of one product, under the same
//! assumptions, and are looked for together: engines share what they find out about the
//! design. A part that is hard or fails does not keep the others waiting, since each engine
//! takes turns among them. What is left is asked for one by one.
//!
//! If there is a deadline, no property takes so much of the time that the others get no
//! chance: each has a share of what is left, those that are safe have theirs together, and
//! what needed more is tried again at the end.

use super::certificate::Certificate;
use super::claim::{self, Claimed, StateSets};
use super::engines::{Found, Outcome, Search, Watch};
use super::proof::Proof;
use super::tableau::Product;
use super::{Engine, Failure, Options, Part, Problem, Semantics, Trace, Verdict};
use crate::bdd::{self, Limits};
use crate::design::Literal;
use crate::prove::InductionTurns;
use crate::source::Diagnostic;
use crate::source::codes::certify as codes;
use crate::spec::{FormulaId, Spec};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What is said of one property, and by whom.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The index of the property.
    pub property: usize,
    pub verdict: Verdict,
    /// Who has decided its parts, as far as they are decided.
    pub found: Vec<Found>,
    /// Why it holds: for each part an invariant that was checked. Nothing if it does not
    /// hold, or if a part is not safe.
    pub proofs: Vec<Rc<Proof>>,
    /// Memories of which only the words at a few addresses were looked at, by name.
    pub memories: Vec<String>,
    /// How long it took until it was decided, with all that was looked for meanwhile.
    pub time: Duration,
}

impl Decision {
    /// Before anything is known that speaks against a property.
    fn of(property: usize) -> Decision {
        Decision {
            property,
            verdict: Verdict::Holds,
            found: Vec::new(),
            proofs: Vec::new(),
            memories: Vec::new(),
            time: Duration::ZERO,
        }
    }
}

/// A safe part of a property.
struct SafePart {
    property: usize,
    formula: FormulaId,
    known: Known,
}

enum Known {
    Open,
    Holds(Rc<Proof>, Found),
    Fails(Trace, Found),
    /// Another part of the same property fails.
    Needless,
    Unknown(bdd::Error),
}

impl Problem {
    /// Decides some assertions, by their indices among the properties.
    pub fn check_all(
        &self,
        properties: &[usize],
        options: &Options,
        mut starting: impl FnMut(usize),
    ) -> Result<Vec<Decision>, Diagnostic> {
        let mut decisions = self.round(properties, options, &mut starting)?;
        let is_late = |decision: &Decision| decision.verdict == LATE;
        let late = decisions.iter().filter(|one| is_late(one));
        let late: Vec<usize> = late.map(|one| one.property).collect();
        let has_time = options.limits.check().is_ok();
        if has_time && !late.is_empty() {
            let again = self.round(&late, options, &mut starting)?;
            let late = decisions.iter_mut().filter(|one| is_late(one));
            for (decision, again) in late.zip(again) {
                let time = decision.time + again.time;
                *decision = Decision { time, ..again };
            }
        }
        Ok(decisions)
    }

    /// Decides one assertion, by its index among the properties. The error is a defect of
    /// ours: a trace that does not replay.
    pub fn check(&self, property: usize, options: &Options) -> Result<Verdict, Diagnostic> {
        let decisions = self.round(&[property], options, &mut |_| {})?;
        let first = decisions.into_iter().next();
        Ok(first.map_or(Verdict::Holds, |decision| decision.verdict))
    }

    /// Whether all of some assertions hold: the first failure that is found ends the search.
    pub fn check_together(
        &self,
        properties: &[usize],
        options: &Options,
    ) -> Result<Verdict, Diagnostic> {
        let Some(&first) = properties.first() else {
            return Ok(Verdict::Holds);
        };
        if let Err(error) = options.limits.check() {
            return Ok(Verdict::Unknown(error));
        }
        // As the parts of one property.
        let parts = properties.iter().flat_map(|index| self.parts_of(*index));
        let safe = parts.filter(|part| is_asked_in_steps(part, options));
        let safe = safe.map(|part| SafePart {
            property: first,
            formula: part.formula,
            known: Known::Open,
        });
        let mut unheard = |_| {};
        let mut together = Together::new(self, safe.collect(), &mut unheard);
        together.search(options, &options.limits)?;
        let mut verdict = together.decision(first).verdict;
        for &property in properties {
            if verdict != Verdict::Holds {
                break;
            }
            let mut decision = Decision::of(property);
            self.decide_rest(&mut decision, options)?;
            verdict = decision.verdict;
        }
        Ok(verdict)
    }

    /// One proof that some assertions hold, by an invariant that was checked: clauses if the
    /// solver finds some, since these can be read, and otherwise what is known of them already,
    /// or what either engine finds. The error says why there is none.
    pub fn certificate(
        &self,
        spec: &Spec,
        properties: &[usize],
        known: &[Decision],
        options: &Options,
    ) -> Result<Certificate, Diagnostic> {
        if options.engine != Engine::Bdd {
            let mut first = with_share(options, 1, 2);
            let most = first.limits.lookups.unwrap_or(u64::MAX);
            first.limits.lookups = Some(most.min(CLAUSES_EFFORT));
            let found = self.certificate_of_clauses(spec, properties, &first);
            if found.is_ok() {
                return found;
            }
        }
        match self.certificate_of(spec, properties, known) {
            Some(certificate) => Ok(certificate),
            None => self.certificate_by(spec, properties, options),
        }
    }

    /// What is known of assertions as one proof, if it is about one product.
    fn certificate_of(
        &self,
        spec: &Spec,
        properties: &[usize],
        known: &[Decision],
    ) -> Option<Certificate> {
        let mut proofs: Vec<Proof> = Vec::new();
        for property in properties {
            let decision = known.iter().find(|one| one.property == *property)?;
            if decision.proofs.len() != self.parts_of(*property).len() {
                return None;
            }
            proofs.extend(decision.proofs.iter().map(|proof| Proof::clone(proof)));
        }
        let is_one = proofs.windows(2).all(|two| two[0].is_about_same(&two[1]));
        is_one.then(|| self.certificate_with(spec, properties, proofs))
    }

    fn certificate_with(
        &self,
        spec: &Spec,
        properties: &[usize],
        proofs: Vec<Proof>,
    ) -> Certificate {
        let names = properties.iter();
        let names = names.map(|index| spec.properties[*index].name.clone());
        Certificate {
            proofs,
            inputs: self.design.inputs().len(),
            latches: self.design.latches().len(),
            names: names.collect(),
        }
    }

    /// The same by clauses that the solver finds.
    pub(super) fn certificate_of_clauses(
        &self,
        spec: &Spec,
        properties: &[usize],
        options: &Options,
    ) -> Result<Certificate, Diagnostic> {
        let options = Options {
            engine: Engine::Sat,
            ..options.clone()
        };
        self.certificate_by(spec, properties, &options)
    }

    fn certificate_by(
        &self,
        spec: &Spec,
        properties: &[usize],
        options: &Options,
    ) -> Result<Certificate, Diagnostic> {
        let refuse = |message: String| Diagnostic::error(codes::NO_CERTIFICATE, message);
        let options = Options {
            induction: InductionTurns::Late,
            ..options.clone()
        };
        let name = |property: usize| spec.properties[property].name.clone();
        for &property in properties {
            let mut parts = self.parts_of(property).iter();
            if parts.any(|part| !is_asked_in_steps(part, &options)) {
                let message = format!("`{}` is not proved by an invariant", name(property));
                let note = "it says that something happens in the end, or is judged on infinite \
                            runs only";
                return Err(refuse(message).note(note));
            }
        }
        let mut proofs = Vec::new();
        for decision in self.decide_safe(properties, &options, &mut |_| {})? {
            if decision.verdict != Verdict::Holds {
                let message = format!("no invariant was found for `{}`", name(decision.property));
                return Err(refuse(message).help("allow more time"));
            }
            proofs.extend(decision.proofs.iter().map(|proof| Proof::clone(proof)));
        }
        Ok(self.certificate_with(spec, properties, proofs))
    }

    /// Whether all assertions hold because runs stay within a set of states. That they do not
    /// hold is not said.
    pub(super) fn holds_by(&self, claim: &StateSets, limits: &Limits) -> bdd::Result<bool> {
        let parts = self.asserted().flat_map(|index| self.parts_of(index));
        let parts: Vec<Part> = parts.copied().collect();
        if parts.iter().any(|part| !part.is_safe) {
            return Ok(false);
        }
        let mut tableau = self.tableau(&self.safe_assumptions());
        let bad = parts
            .iter()
            .map(|part| tableau.separate_violation(part.formula));
        let bad: Vec<Literal> = bad.collect();
        let product = tableau.finish();
        let claimed = claim::stays_within(&product, &bad, claim, limits)?;
        Ok(claimed == Claimed::Confirmed)
    }

    /// Decides assertions, with a share of the time for each.
    fn round(
        &self,
        properties: &[usize],
        options: &Options,
        starting: &mut dyn FnMut(usize),
    ) -> Result<Vec<Decision>, Diagnostic> {
        if properties.is_empty() {
            return Ok(Vec::new());
        }
        // The product of a large design takes longer than a run may go on after its time.
        if let Err(error) = options.limits.check() {
            let late = properties.iter();
            let late = late.map(|property| Decision {
                verdict: Verdict::Unknown(error),
                ..Decision::of(*property)
            });
            return Ok(late.collect());
        }
        let mut decisions = self.decide_safe(properties, options, starting)?;
        let needs_more = |decision: &Decision| {
            let mut parts = self.parts_of(decision.property).iter();
            let is_decided = matches!(decision.verdict, Verdict::Fails(_));
            !is_decided && parts.any(|part| !is_asked_in_steps(part, options))
        };
        let mut left = decisions.iter().filter(|one| needs_more(one)).count();
        for decision in decisions.iter_mut().filter(|one| needs_more(one)) {
            starting(decision.property);
            let begin = Instant::now();
            self.decide_rest(decision, &with_share(options, 1, left))?;
            decision.time += begin.elapsed();
            left -= 1;
        }
        Ok(decisions)
    }

    /// What the safe parts of properties say about them.
    fn decide_safe(
        &self,
        properties: &[usize],
        options: &Options,
        starting: &mut dyn FnMut(usize),
    ) -> Result<Vec<Decision>, Diagnostic> {
        let mut parts = Vec::new();
        let mut shares = 0;
        for &property in properties {
            let safe = self.parts_of(property).iter();
            let safe = safe.filter(|part| is_asked_in_steps(part, options));
            let before = parts.len();
            parts.extend(safe.map(|part| SafePart {
                property,
                formula: part.formula,
                known: Known::Open,
            }));
            shares += usize::from(parts.len() > before);
        }
        let limits = with_share(options, shares, properties.len()).limits;
        let mut together = Together::new(self, parts, starting);
        together.search(options, &limits)?;
        let decisions = properties.iter().map(|one| together.decision(*one));
        Ok(decisions.collect())
    }

    /// Decides the parts that are not safe.
    fn decide_rest(&self, decision: &mut Decision, options: &Options) -> Result<(), Diagnostic> {
        decision.proofs.clear();
        let mut unknown = match decision.verdict {
            Verdict::Unknown(error) => Some(error),
            Verdict::Holds | Verdict::Fails(_) => None,
        };
        for part in self.parts_of(decision.property) {
            if is_asked_in_steps(part, options) {
                continue;
            }
            let in_time = options.limits.check().map_err(Failure::Limit);
            match in_time.and_then(|()| self.find_bad_run(part.formula, options)) {
                Ok(None) => {}
                Ok(Some(trace)) => {
                    decision.verdict = Verdict::Fails(trace);
                    return Ok(());
                }
                Err(Failure::Limit(error)) => unknown = unknown.or(Some(error)),
                Err(Failure::Internal(diagnostic)) => return Err(*diagnostic),
            }
        }
        decision.verdict = unknown.map_or(Verdict::Holds, Verdict::Unknown);
        Ok(())
    }

    fn parts_of(&self, property: usize) -> &[Part] {
        self.assertions.get(property).map_or(&[], Vec::as_slice)
    }
}

/// How long the solver looks for clauses before anything else is a certificate as well: about
/// half a minute.
const CLAUSES_EFFORT: u64 = 300_000_000;
const LATE: Verdict = Verdict::Unknown(bdd::Error::Deadline);

/// Whether the violation of a part is looked for in finitely many steps.
fn is_asked_in_steps(part: &Part, options: &Options) -> bool {
    part.is_safe && options.semantics == Semantics::Strict
}

/// The options with some of several shares of the time that is left.
fn with_share(options: &Options, shares: usize, of: usize) -> Options {
    let mut shared = options.clone();
    if shares < of {
        shared.limits = options.limits.with_share_of_time(shares as f64 / of as f64);
    }
    shared
}

/// The search for the violations of several safe parts.
struct Together<'a> {
    problem: &'a Problem,
    assumptions: Vec<FormulaId>,
    parts: Vec<SafePart>,
    product: Rc<Product>,
    bad: Rc<[Literal]>,
    starting: &'a mut dyn FnMut(usize),
    begin: Instant,
    /// When a part was decided, from the beginning.
    times: Vec<Duration>,
}

impl<'a> Together<'a> {
    fn new(
        problem: &'a Problem,
        parts: Vec<SafePart>,
        starting: &'a mut dyn FnMut(usize),
    ) -> Together<'a> {
        let assumptions = problem.safe_assumptions();
        let mut tableau = problem.tableau(&assumptions);
        let bad: Vec<Literal> = match parts.as_slice() {
            [only] => vec![tableau.violation(only.formula)],
            parts => {
                let each = parts.iter();
                each.map(|part| tableau.separate_violation(part.formula))
                    .collect()
            }
        };
        Together {
            problem,
            assumptions,
            product: Rc::new(tableau.finish()),
            bad: bad.into(),
            starting,
            begin: Instant::now(),
            times: vec![Duration::ZERO; parts.len()],
            parts,
        }
    }

    fn search(&mut self, options: &Options, limits: &Limits) -> Result<(), Diagnostic> {
        let (product, bad) = (self.product.clone(), self.bad.clone());
        let search = Search {
            problem: self.problem,
            product: &product,
            bad: &bad,
            engine: options.engine,
            runs: options.runs,
            induction: options.induction,
            experience: options.experience.as_ref(),
            limits,
        };
        match search.run(self) {
            Ok(()) => Ok(()),
            Err(Failure::Limit(error)) => {
                let elapsed = self.begin.elapsed();
                let open = self.parts.iter_mut().zip(&mut self.times);
                for (part, time) in open.filter(|(part, _)| matches!(part.known, Known::Open)) {
                    part.known = Known::Unknown(error);
                    *time = elapsed;
                }
                Ok(())
            }
            Err(Failure::Internal(diagnostic)) => Err(*diagnostic),
        }
    }

    /// What the parts of a property say about it.
    fn decision(&self, property: usize) -> Decision {
        let mut decision = Decision::of(property);
        let own = self.parts.iter().zip(&self.times);
        for (part, time) in own.filter(|(part, _)| part.property == property) {
            decision.time = decision.time.max(*time);
            match &part.known {
                Known::Holds(proof, found) => {
                    decision.found.push(*found);
                    decision.proofs.push(proof.clone());
                }
                Known::Fails(trace, found) => {
                    decision.found = vec![*found];
                    decision.verdict = Verdict::Fails(trace.clone());
                    decision.proofs.clear();
                    break;
                }
                Known::Unknown(error) if decision.verdict == Verdict::Holds => {
                    decision.verdict = Verdict::Unknown(*error);
                }
                Known::Unknown(_) | Known::Needless | Known::Open => {}
            }
        }
        if decision.verdict != Verdict::Holds {
            decision.proofs.clear();
        }
        decision
    }
}

impl Watch for Together<'_> {
    fn starting(&mut self, index: usize) {
        (self.starting)(self.parts[index].property);
    }

    fn decided(&mut self, index: usize, outcome: Outcome) -> Result<Vec<usize>, Failure> {
        self.times[index] = self.begin.elapsed();
        let part = &mut self.parts[index];
        part.known = match outcome {
            Outcome::Unknown(error) => Known::Unknown(error),
            Outcome::Unreachable(reason, found) => {
                let proof = Proof::new(self.product.clone(), self.bad[index], reason);
                Known::Holds(Rc::new(proof), found)
            }
            Outcome::Reached(trace, found) => {
                let judge = self.problem.judge();
                judge.confirm_prefix(&trace, &self.assumptions, Some(part.formula))?;
                let property = part.property;
                part.known = Known::Fails(trace, found);
                return Ok(self.give_up(property));
            }
        };
        Ok(Vec::new())
    }
}

impl Together<'_> {
    /// The other parts of a property that fails, as far as they are open.
    fn give_up(&mut self, property: usize) -> Vec<usize> {
        let mut needless = Vec::new();
        for (index, part) in self.parts.iter_mut().enumerate() {
            if part.property == property && matches!(part.known, Known::Open) {
                part.known = Known::Needless;
                needless.push(index);
            }
        }
        needless
    }
}
