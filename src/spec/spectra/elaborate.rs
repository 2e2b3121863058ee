//! From the tree of a file to a specification.
//!
//! Declarations are collected first, for a file may use what it declares later. Definitions
//! and predicates are replaced by what they stand for; patterns, monitors and counters become
//! auxiliary variables (`instantiate`).

use super::operand::{Operand, Word, WordKind};
use super::parser::Step;
use super::tree::*;
use super::trigger::Initiator;
use crate::expr::suggest::closest;
use crate::limits::Limits;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span, add_once};
use crate::spec::gr1::{DefinitionId, Domain, Gr1, Kind, Player, Side, Symbol, TermId, VariableId};
use std::collections::{HashMap, HashSet};

/// More values than that are no range of a specification.
const LARGEST: u64 = 1 << 32;
/// More elements than that are no array of a specification.
const MOST_ELEMENTS: i64 = 1 << 16;
/// So often a mistake is found in one declaration.
const MOST_NOTED: usize = 1_000;

/// An array of variables, or a single one without dimensions.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub dimensions: Vec<usize>,
    pub variables: Vec<VariableId>,
}

#[derive(Clone)]
pub(super) enum Entity<'f> {
    Variable(Cells),
    Define(&'f DefinedBody),
    Predicate(&'f [Parameter], &'f Expression),
    Pattern(&'f Pattern),
    Regexp(&'f Regexp),
    Type(&'f Type),
}

pub(super) struct Elaborator<'f> {
    /// Polled for each expression: definitions and quantifiers can make many of few words.
    pub limits: &'f Limits,
    pub spec: Gr1,
    pub names: HashMap<String, (Entity<'f>, Span)>,
    /// Parameters and bound variables, the innermost last.
    pub scopes: Vec<HashMap<String, Operand>>,
    /// What is being replaced by its meaning.
    pub active: Vec<String>,
    /// Of a `define`, what it stands for or what is wrong with it.
    defined: HashMap<String, Step<Operand>>,
    /// What was replaced by its meaning somewhere.
    pub used: HashSet<String>,
    /// Mistakes beside the one that ended an expression.
    further: Vec<Diagnostic>,
    /// How often one was found, the same ones again included.
    noted: usize,
    /// Variables of the pattern that is being instantiated.
    pub local: HashMap<String, Cells>,
    /// Variables that could not be declared, and why.
    undeclared: HashMap<String, Diagnostic>,
    /// Patterns that are built in.
    pub library: &'f [Pattern],
    /// Definitions in the words of the file, which may be in conflict with others.
    pub written: Vec<DefinitionId>,
}

pub(super) fn elaborate<'f>(
    file: &'f File,
    library: &'f [Pattern],
    limits: &'f Limits,
) -> Result<Gr1, Vec<Diagnostic>> {
    let mut elaborator = Elaborator {
        limits,
        spec: Gr1::default(),
        names: HashMap::new(),
        scopes: Vec::new(),
        active: Vec::new(),
        defined: HashMap::new(),
        used: HashSet::new(),
        further: Vec::new(),
        noted: 0,
        local: HashMap::new(),
        undeclared: HashMap::new(),
        library,
        written: Vec::new(),
    };
    elaborator.spec.name = file.name.clone();
    elaborator.spec.warnings = file.warnings.clone();
    let mut errors = Vec::new();
    elaborator.declare_all(file, &mut errors);
    for pattern in library {
        // A file's own pattern of that name wins.
        let entity = (Entity::Pattern(pattern), pattern.name.span);
        let names = &mut elaborator.names;
        names.entry(pattern.name.text.clone()).or_insert(entity);
    }
    elaborator.require_all(file, &mut errors);
    elaborator.examine_all(file, &mut errors);
    if errors.is_empty() {
        for definition in elaborator.written {
            elaborator.spec.admit_to_cores(definition);
        }
        Ok(elaborator.spec)
    } else {
        Err(errors)
    }
}

impl<'f> Elaborator<'f> {
    fn declare_all(&mut self, file: &'f File, errors: &mut Vec<Diagnostic>) {
        // What types may need comes first.
        let mut repeated = Vec::new();
        for declaration in &file.declarations {
            if let Declaration::Type(name, domain) = declaration
                && let Some((Entity::Type(first), _)) = self.names.get(&name.text)
            {
                repeated.push((name, *first, domain));
                continue;
            }
            let entity = match declaration {
                Declaration::Type(name, domain) => (name, Entity::Type(domain)),
                Declaration::Define(name, body) => (name, Entity::Define(body)),
                Declaration::Predicate {
                    name,
                    parameters,
                    body,
                } => (name, Entity::Predicate(parameters, body)),
                Declaration::Pattern(pattern) => (&pattern.name, Entity::Pattern(pattern)),
                Declaration::Regexp(name, regexp) => (name, Entity::Regexp(regexp)),
                _ => continue,
            };
            errors.extend(self.declare(entity.0, entity.1).err());
        }
        for (name, first, again) in repeated {
            errors.extend(self.repeat_type(name, first, again).err());
        }
        for declaration in &file.declarations {
            let (name, outcome) = match declaration {
                Declaration::Variable {
                    owner,
                    domain,
                    name,
                } => {
                    let owner = owner.unwrap_or(Player::System);
                    (name, self.declare_variable(owner, domain, name))
                }
                Declaration::Monitor(monitor) => (&monitor.name, self.declare_monitor(monitor)),
                Declaration::Counter(counter) => (&counter.name, self.declare_counter(counter)),
                _ => continue,
            };
            if let Err(error) = &outcome {
                let known = self.undeclared.entry(name.text.clone());
                known.or_insert_with(|| error.clone());
            }
            self.conclude(outcome, errors);
        }
    }

    fn require_all(&mut self, file: &'f File, errors: &mut Vec<Diagnostic>) {
        for declaration in &file.declarations {
            let outcome = match declaration {
                Declaration::Monitor(monitor) => self.monitor(monitor),
                Declaration::Counter(counter) => self.counter(counter),
                Declaration::Requirement(requirement) => {
                    self.requirement(requirement, &requirement.parameters, String::new())
                }
                _ => Ok(()),
            };
            self.conclude(outcome, errors);
        }
    }

    /// Adds what is wrong with a declaration to the mistakes, in the order of their places.
    pub(super) fn conclude(&mut self, outcome: Step<()>, errors: &mut Vec<Diagnostic>) {
        self.noted = 0;
        let mut found = std::mem::take(&mut self.further);
        found.extend(outcome.err());
        found.sort_by_key(|error| {
            let place = error.labels.first().map(|label| label.span);
            place.map(|span| (span.file, span.start))
        });
        found.into_iter().for_each(|error| add_once(errors, error));
        self.scopes.clear();
        self.active.clear();
        self.local.clear();
    }

    /// Notes a mistake beside the one that ends an expression.
    pub(super) fn note(&mut self, error: Diagnostic) {
        self.noted += 1;
        add_once(&mut self.further, error);
    }

    /// Ends a declaration in which mistakes are found again and again: definitions that use each
    /// other twice can lead to one in exponentially many ways.
    pub(super) fn stop_at_many_mistakes(&self) -> Step<()> {
        match self.further.first() {
            Some(error) if self.noted >= MOST_NOTED => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// Forgets noted mistakes of some kind.
    pub(super) fn forget(&mut self, kind: &dyn Fn(&Diagnostic) -> bool) {
        self.further.retain(|error| !kind(error));
    }

    /// What is made of some parts. If several are wrong, the first mistake is returned and the
    /// others are noted.
    pub(super) fn each<I, T>(
        &mut self,
        parts: impl IntoIterator<Item = I>,
        mut make: impl FnMut(&mut Self, I) -> Step<T>,
    ) -> Step<Vec<T>> {
        let mut made = Ok(Vec::new());
        for part in parts {
            let one = make(self, part);
            made = self.both(made, one).map(|(mut made, one)| {
                made.push(one);
                made
            });
        }
        made
    }

    /// Both of two outcomes, in the same way.
    pub(super) fn both<A, B>(&mut self, left: Step<A>, right: Step<B>) -> Step<(A, B)> {
        match (left, right) {
            (Ok(left), Ok(right)) => Ok((left, right)),
            (Err(error), right) => {
                right.err().into_iter().for_each(|other| self.note(other));
                Err(error)
            }
            (Ok(_), Err(error)) => Err(error),
        }
    }

    /// A type may be declared again if nothing is changed by that.
    fn repeat_type(&mut self, name: &Name, first: &Type, again: &Type) -> Step<()> {
        if self.domain(first)? == self.domain(again)? {
            return Ok(());
        }
        let error = format!("`{}` is declared again as another type", name.text);
        Err(Diagnostic::error(codes::REPEATED_DECLARATION, error)
            .at(name.span, "declared again here")
            .at(first.span, "first declared as this")
            .help("rename one of them"))
    }

    pub fn declare(&mut self, name: &Name, entity: Entity<'f>) -> Step<()> {
        if let Some((_, earlier)) = self.names.get(&name.text) {
            return Err(Diagnostic::error(
                codes::REPEATED_DECLARATION,
                format!("`{}` is declared twice", name.text),
            )
            .at(name.span, "declared again here")
            .at(*earlier, "first declared here")
            .help("rename one of them"));
        }
        self.names.insert(name.text.clone(), (entity, name.span));
        Ok(())
    }

    fn declare_variable(&mut self, owner: Player, domain: &Type, name: &Name) -> Step<()> {
        let (single, dimensions) = self.domain(domain)?;
        let count: usize = dimensions.iter().product();
        let mut variables = Vec::new();
        // The name must be free before any variable is made.
        let cells = Cells {
            dimensions: dimensions.clone(),
            variables: Vec::new(),
        };
        self.declare(name, Entity::Variable(cells))?;
        for index in 0..count {
            let cell = format!("{}{}", name.text, index_text(index, &dimensions));
            let span = Some(name.span);
            variables.push(self.spec.add_variable(cell, owner, single.clone(), span));
        }
        let entity = Entity::Variable(Cells {
            dimensions,
            variables,
        });
        self.names.insert(name.text.clone(), (entity, name.span));
        Ok(())
    }

    /// The values of one element of a type, and the dimensions of the array.
    pub fn domain(&mut self, domain: &Type) -> Step<(Domain, Vec<usize>)> {
        let (single, mut dimensions) = match &domain.kind {
            TypeKind::Boolean => (Domain::Boolean, Vec::new()),
            TypeKind::Range(first, last) => (self.range(first, last, domain.span)?, Vec::new()),
            TypeKind::Enumeration(names) => {
                let terms = &mut self.spec.terms;
                let all = names.iter().map(|name| terms.symbol(&name.text));
                let symbols: Vec<Symbol> = all.collect();
                for (index, name) in names.iter().enumerate() {
                    if symbols[..index].contains(&symbols[index]) {
                        return Err(Diagnostic::error(
                            codes::REPEATED_DECLARATION,
                            format!("the value `{}` is listed twice", name.text),
                        )
                        .at(name.span, "listed again here")
                        .help("remove one of them"));
                    }
                }
                (Domain::Enumeration(symbols), Vec::new())
            }
            TypeKind::Named(name) => {
                let Some((Entity::Type(inner), _)) = self.names.get(name).cloned() else {
                    return Err(self.unknown(name, domain.span, "type"));
                };
                self.enter(name, domain.span)?;
                let found = self.domain(inner);
                self.active.pop();
                found?
            }
        };
        let mut outer = Vec::new();
        for size in &domain.dimensions {
            let elements = self.constant(size)?;
            if !(1..=MOST_ELEMENTS).contains(&elements) {
                return Err(Diagnostic::error(
                    codes::WRONG_RANGE,
                    format!("an array cannot have {elements} elements"),
                )
                .at(size.span, "this size")
                .help(format!("use a size from 1 to {MOST_ELEMENTS}")));
            }
            outer.push(elements as usize);
        }
        outer.append(&mut dimensions);
        Ok((single, outer))
    }

    pub fn range(&mut self, first: &Expression, last: &Expression, span: Span) -> Step<Domain> {
        let (first, last) = (self.constant(first), self.constant(last));
        let (first, last) = self.both(first, last)?;
        if first > last || last.abs_diff(first) >= LARGEST {
            return Err(Diagnostic::error(
                codes::WRONG_RANGE,
                format!("the range {first}..{last} is empty or too large"),
            )
            .at(span, "this range")
            .help("write the smaller number first; at most 2^32 values are possible"));
        }
        Ok(Domain::Range { first, last })
    }

    pub fn constant(&mut self, expression: &Expression) -> Step<i64> {
        let operand = self.operand(expression)?;
        operand.constant(&self.spec).ok_or_else(|| {
            Diagnostic::error(codes::NOT_CONSTANT, "a constant number is needed here")
                .at(expression.span, "this is not constant")
                .help("use a number, or a `define` that is one")
        })
    }

    /// Notes that a name is replaced by its meaning; `active` has to be popped afterwards.
    pub fn enter(&mut self, name: &str, span: Span) -> Step<()> {
        if self.active.iter().any(|other| other == name) {
            return Err(
                Diagnostic::error(codes::CYCLIC, format!("`{name}` is made of itself"))
                    .at(span, "used here")
                    .help("break the circle"),
            );
        }
        self.active.push(name.to_string());
        self.used.insert(name.to_string());
        Ok(())
    }

    /// What is wrong with a name that is not declared: if it should have been, that is said once.
    pub fn unknown(&self, name: &str, span: Span, what: &str) -> Diagnostic {
        if let Some(error) = self.undeclared.get(name) {
            return error.clone();
        }
        let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("unknown {what} `{name}`"))
            .at(span, "not declared");
        let symbols = self.spec.variables.iter().flat_map(|variable| {
            let names = match &variable.domain {
                Domain::Enumeration(names) => names.as_slice(),
                _ => &[],
            };
            names.iter().map(|name| self.spec.terms.symbol_name(*name))
        });
        let scopes = self.scopes.iter().flat_map(|scope| scope.keys());
        let names = self.names.keys().chain(scopes).map(String::as_str);
        match closest(name, names.chain(symbols)) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("declare it, or correct its name"),
        }
    }

    fn requirement(
        &mut self,
        requirement: &'f Requirement,
        parameters: &'f [Parameter],
        suffix: String,
    ) -> Step<()> {
        if let Some((parameter, rest)) = parameters.split_first() {
            let Some(domain) = &parameter.domain else {
                return Ok(());
            };
            for (text, value) in self.values(domain)? {
                self.scopes
                    .push(HashMap::from([(parameter.name.text.clone(), value)]));
                self.requirement(requirement, rest, format!("{suffix}_{text}"))?;
                self.scopes.pop();
            }
            return Ok(());
        }
        let name = requirement.name.as_ref();
        let name = name.map(|name| format!("{}{suffix}", name.text));
        let line = match &requirement.body {
            RequirementBody::Trigger(initiator, effect) => {
                let initiator = Initiator::Written(initiator);
                return self.trigger(initiator, effect, requirement, name);
            }
            RequirementBody::Line(line) => line,
        };
        match &line.expression.kind {
            ExpressionKind::Call(called, arguments) => {
                if let Some((Entity::Pattern(pattern), _)) = self.names.get(called).cloned() {
                    return self.pattern(pattern, arguments, line, requirement, name);
                }
            }
            ExpressionKind::Matches(effect) if line.kind != Kind::Initial => {
                let initiator = match line.kind {
                    Kind::Justice => Initiator::Sometime,
                    _ => Initiator::Always,
                };
                return self.trigger(initiator, effect, requirement, name);
            }
            _ => {}
        }
        let term = self.boolean(&line.expression)?;
        self.constrain(line, term, requirement, name)
    }

    /// One line as a constraint of the side of a requirement. An initial one with next values
    /// is about the first step.
    ///
    /// `alw` without next values is about states, not about steps: the first state and each
    /// one that a step leads to. As in the language's own tool, a condition on variables of
    /// the other player is judged with the step that leaves the state all the same, and an
    /// assumption about the system's says nothing of the first state.
    pub fn constrain(
        &mut self,
        line: &Line,
        term: TermId,
        requirement: &Requirement,
        name: Option<String>,
    ) -> Step<()> {
        let (side, span) = (requirement.side, Some(requirement.span));
        let has_primed = self.spec.terms.has_primed(term);
        if line.kind == Kind::Justice && has_primed {
            let kept = self.spec.record(term, span);
            self.spec
                .add_constraint(name, side, Kind::Justice, kept, span);
            return Ok(());
        }
        if line.kind == Kind::Initial && has_primed {
            let message = "an initial requirement with next values is about the first step only";
            let warning = Diagnostic::warning(codes::MISPLACED_NEXT, message)
                .at(line.expression.span, "there is a `next` in this")
                .help("write `trans` or `G` before it if it is about all steps");
            self.spec.warnings.push(warning);
            let first = self.spec.first_step();
            let term = self.spec.terms.implies(first, term);
            self.spec
                .add_constraint(name, side, Kind::Safety, term, span);
            return Ok(());
        }
        if !line.is_invariant || has_primed {
            self.spec.add_constraint(name, side, line.kind, term, span);
            return Ok(());
        }
        let other = match side {
            Side::Assumption => Player::System,
            Side::Guarantee => Player::Environment,
        };
        let variables = self.spec.terms.variables(term);
        let mentions_other = variables
            .iter()
            .any(|(variable, _)| self.spec.variable(*variable).owner == other);
        let later = if mentions_other {
            term
        } else {
            self.spec.terms.primed(term).unwrap_or(term)
        };
        let first = name.as_ref().map(|name| format!("{name}_initially"));
        self.spec
            .add_constraint(name, side, Kind::Safety, later, span);
        if !(mentions_other && side == Side::Assumption) {
            self.spec
                .add_constraint(first, side, Kind::Initial, term, span);
        }
        Ok(())
    }

    pub fn check_next(&self, term: TermId, kind: Kind, span: Span) -> Step<()> {
        if kind != Kind::Initial || !self.spec.terms.has_primed(term) {
            return Ok(());
        }
        Err(Diagnostic::error(
            codes::MISPLACED_NEXT,
            "what says how a variable starts cannot speak of next values",
        )
        .at(span, "there is a `next` in this")
        .help("write `trans` or `G` before it if it is about all steps"))
    }

    /// All values of a type without dimensions, with their text.
    pub fn values(&mut self, domain: &Type) -> Step<Vec<(String, Operand)>> {
        let (single, dimensions) = self.domain(domain)?;
        if !dimensions.is_empty() || single.size() > MOST_ELEMENTS as u64 {
            return Err(Diagnostic::error(
                codes::WRONG_RANGE,
                "a bound variable cannot be an array or have that many values",
            )
            .at(domain.span, "this type")
            .help("use a small range, an enumeration or `boolean`"));
        }
        let mut found = Vec::new();
        match &single {
            Domain::Boolean => {
                for value in [false, true] {
                    let term = self.spec.terms.boolean(value);
                    found.push((value.to_string(), Operand::Boolean(term)));
                }
            }
            Domain::Range { first, last } => {
                for value in *first..=*last {
                    let operand = Operand::integer(&mut self.spec, value);
                    found.push((value.to_string(), operand));
                }
            }
            Domain::Enumeration(names) => {
                for name in names {
                    let text = self.spec.terms.symbol_name(*name).to_string();
                    found.push((text, Operand::enumerator(&mut self.spec, *name)));
                }
            }
        }
        Ok(found)
    }

    /// The current value of a variable.
    pub fn variable(&mut self, id: VariableId) -> Operand {
        let term = self.spec.terms.now(id);
        match self.spec.variable(id).domain {
            Domain::Boolean => Operand::Boolean(term),
            Domain::Range { .. } => Operand::single(&mut self.spec, WordKind::Integer, term),
            Domain::Enumeration(_) => Operand::single(&mut self.spec, WordKind::Enumerator, term),
        }
    }

    pub fn boolean(&mut self, expression: &Expression) -> Step<TermId> {
        match self.operand(expression)? {
            Operand::Boolean(term) => Ok(term),
            other => Err(Diagnostic::error(
                codes::WRONG_TYPE,
                format!("expected a Boolean, found an {}", other.describe()),
            )
            .at(expression.span, "this is not true or false")
            .help("compare it with a value, as in `x = 0`")),
        }
    }

    pub fn integer_word(&mut self, expression: &Expression) -> Step<Word> {
        match self.operand(expression)? {
            Operand::Word(word) if word.kind == WordKind::Integer => Ok(word),
            other => Err(Diagnostic::error(
                codes::WRONG_TYPE,
                format!(
                    "expected an integer, found a value of type {}",
                    other.describe()
                ),
            )
            .at(expression.span, "this is not a number")
            .help("arithmetic and order are for integers only")),
        }
    }

    /// Of a `define`; computed once.
    pub fn definition(&mut self, name: &str, body: &Expression, span: Span) -> Step<Operand> {
        if let Some(known) = self.defined.get(name) {
            return known.clone();
        }
        self.enter(name, span)?;
        let scopes = std::mem::take(&mut self.scopes);
        let local = std::mem::take(&mut self.local);
        let outcome = self.operand(body);
        self.scopes = scopes;
        self.local = local;
        self.active.pop();
        self.defined.insert(name.to_string(), outcome.clone());
        outcome
    }
}

/// `[1][2]` for an element counted from 0 through all dimensions.
fn index_text(index: usize, dimensions: &[usize]) -> String {
    let mut text = String::new();
    let mut rest = index;
    let mut below: usize = dimensions.iter().product();
    for size in dimensions {
        below /= size;
        text.push_str(&format!("[{}]", rest / below));
        rest %= below;
    }
    text
}
