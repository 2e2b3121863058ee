//! Checks the names of a TLSF file, also in definitions that nothing uses.

use super::evaluate::Global;
use super::parser::repeated;
use super::tree::{Binary, Definition, ExprId, File, Kind, Name, Shape, Unary, Values};
use crate::expr::suggest::closest;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::stack;

/// What each name of the file stands for outside of functions, by its number.
pub fn globals(file: &File, errors: &mut Vec<Diagnostic>) -> Vec<Option<Global>> {
    let mut found: Vec<Option<(Global, Span)>> = vec![None; file.names.count()];
    let mut again = Vec::new();
    let mut add = |name: Name, global: Global, span: Span| {
        let entry = &mut found[name.0 as usize];
        match entry {
            Some((_, before)) => again.push(repeated(file.names.text(name), span, *before)),
            None => *entry = Some((global, span)),
        }
    };
    for (index, parameter) in file.parameters.iter().enumerate() {
        add(parameter.name, Global::Parameter(index), parameter.span);
    }
    for (index, definition) in file.definitions.iter().enumerate() {
        add(definition.name, Global::Definition(index), definition.span);
    }
    for (index, enumeration) in file.enumerations.iter().enumerate() {
        for (value, one) in enumeration.values.iter().enumerate() {
            add(one.name, Global::EnumValue(index, value), one.span);
        }
    }
    for (index, enumeration) in file.enumerations.iter().enumerate() {
        let before = file.enumerations[..index].iter();
        let before = before.rev().find(|other| other.name == enumeration.name);
        if let Some(before) = before {
            let name = file.names.text(enumeration.name);
            errors.push(repeated(name, enumeration.span, before.span));
        }
    }
    for (index, signal) in file.inputs.iter().chain(&file.outputs).enumerate() {
        add(signal.name, Global::Signal(index), signal.span);
    }
    errors.extend(again);
    found
        .into_iter()
        .map(|entry| entry.map(|(global, _)| global))
        .collect()
}

/// Everything that is wrong with the names and indices in expressions.
pub fn check(file: &File, globals: &[Option<Global>], errors: &mut Vec<Diagnostic>) {
    let mut checker = Checker {
        file,
        globals,
        scope: Vec::new(),
        errors,
    };
    for definition in file.parameters.iter().chain(&file.definitions) {
        checker.definition(definition);
    }
    for signal in file.inputs.iter().chain(&file.outputs) {
        if let Shape::Bus(width) = signal.shape {
            checker.expression(width);
        }
    }
    for (_, requirement) in &file.requirements {
        checker.expression(*requirement);
        checker.scope.clear();
    }
}

struct Checker<'f, 'e> {
    file: &'f File,
    globals: &'f [Option<Global>],
    scope: Vec<Name>,
    errors: &'e mut Vec<Diagnostic>,
}

impl Checker<'_, '_> {
    fn definition(&mut self, definition: &Definition) {
        let file = self.file;
        self.scope = definition.parameters.clone();
        for case in &definition.cases {
            let length = self.scope.len();
            match case.condition {
                Some(condition) if !matches!(file.expr(condition).kind, Kind::Otherwise) => {
                    self.expression(condition);
                }
                _ => {}
            }
            self.expression(case.body);
            self.scope.truncate(length);
        }
        self.scope.clear();
    }

    fn expression(&mut self, id: ExprId) {
        stack::recurse(|| self.expression_here(id));
    }

    fn expression_here(&mut self, id: ExprId) {
        let file = self.file;
        let expr = file.expr(id);
        match &expr.kind {
            Kind::Number(_) | Kind::Boolean(_) => {}
            Kind::Any => self.misplaced("`_` stands for anything in a pattern only", expr.span),
            Kind::Otherwise => {
                self.misplaced("`otherwise` is the condition of a last case", expr.span);
            }
            Kind::Name(name) => {
                if self.is_known(*name, expr.span) {
                    self.arity(*name, 0, expr.span);
                }
            }
            Kind::Call(name, arguments) => {
                if self.is_known(*name, expr.span) {
                    self.arity(*name, arguments.len(), expr.span);
                }
                arguments.iter().for_each(|one| self.expression(*one));
            }
            Kind::Index(name, index) => {
                self.is_known(*name, expr.span);
                self.expression(*index);
            }
            Kind::Set(elements) | Kind::Chain(_, elements) => {
                elements.iter().for_each(|one| self.expression(*one));
            }
            Kind::Range(first, second, last) => {
                for part in [first, second, last] {
                    self.expression(*part);
                }
            }
            Kind::Unary(_, operand) => self.expression(*operand),
            Kind::Binary(Binary::Matches, left, pattern) => {
                self.expression(*left);
                self.pattern(*pattern);
            }
            Kind::Binary(_, left, right) => {
                self.expression(*left);
                self.expression(*right);
            }
            Kind::Big(_, binders, body) => {
                let length = self.scope.len();
                for binder in binders {
                    match &binder.values {
                        Values::Of(set) => self.expression(*set),
                        Values::Between { first, last, .. } => {
                            self.expression(*first);
                            self.expression(*last);
                        }
                    }
                    self.scope.push(binder.name);
                }
                self.expression(*body);
                self.scope.truncate(length);
            }
            Kind::NextTimes(times, body) => {
                self.expression(*times);
                self.expression(*body);
            }
            Kind::Within(_, first, last, body) => {
                for part in [first, last, body] {
                    self.expression(*part);
                }
            }
        }
    }

    /// The names in a pattern are variables from here on.
    fn pattern(&mut self, id: ExprId) {
        let file = self.file;
        let expr = file.expr(id);
        match &expr.kind {
            Kind::Any | Kind::Boolean(_) => {}
            Kind::Name(name) => self.scope.push(*name),
            Kind::Unary(Unary::Not | Unary::Next | Unary::Finally | Unary::Globally, inner) => {
                stack::recurse(|| self.pattern(*inner));
            }
            Kind::Binary(
                Binary::Implies
                | Binary::Equivalent
                | Binary::Until
                | Binary::WeakUntil
                | Binary::Release,
                left,
                right,
            ) => stack::recurse(|| {
                self.pattern(*left);
                self.pattern(*right);
            }),
            Kind::Chain(_, operands) => stack::recurse(|| {
                operands.iter().for_each(|one| self.pattern(*one));
            }),
            _ => self.misplaced("this cannot stand in a pattern", expr.span),
        }
    }

    fn misplaced(&mut self, message: &str, span: Span) {
        self.errors.push(
            Diagnostic::error(codes::WRONG_PLACE, message)
                .at(span, "not at this place")
                .help("patterns have operators of formulas, names, `true`, `false` and `_`"),
        );
    }

    fn is_known(&mut self, name: Name, span: Span) -> bool {
        let known = self.scope.contains(&name) || self.globals[name.0 as usize].is_some();
        if !known {
            let file = self.file;
            let text = file.names.text(name);
            let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("`{text}` is not declared"))
                .at(span, "used here");
            let local = self.scope.iter().map(|name| file.names.text(*name));
            let global = self.globals.iter().enumerate();
            let global = global.filter(|(_, entry)| entry.is_some());
            let global = global.map(|(index, _)| file.names.text(Name(index as u32)));
            let near = closest(text, local.chain(global));
            self.errors.push(match near {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("declare it as a signal, a parameter or a definition"),
            });
        }
        known
    }

    fn arity(&mut self, name: Name, given: usize, span: Span) {
        let file = self.file;
        let (needed, definition) = if self.scope.contains(&name) {
            (0, None)
        } else {
            match self.globals[name.0 as usize] {
                Some(Global::Definition(index)) => {
                    let definition = &file.definitions[index];
                    (definition.parameters.len(), Some(definition.span))
                }
                _ => (0, None),
            }
        };
        if needed == given {
            return;
        }
        let text = file.names.text(name);
        let message = match (needed, given) {
            (0, _) => format!("`{text}` has no arguments"),
            (_, 0) => format!("`{text}` needs arguments"),
            _ => format!("`{text}` has {needed} arguments, and {given} are given"),
        };
        let error = Diagnostic::error(codes::WRONG_ARGUMENTS, message).at(span, "used here");
        let error = error.at_optional(definition, "defined here");
        self.errors
            .push(error.help("give one argument for each parameter"));
    }
}
