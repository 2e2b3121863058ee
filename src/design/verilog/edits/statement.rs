//! Edits of statements: targets, kinds of assignments, branches that are missing.

use super::expression::cost;
use super::{EditKind, Lister, SourceEdit};
use crate::design::component::ComponentKind;
use crate::design::verilog::syntax::*;
use crate::design::verilog::{VisibleKind, VisibleName};
use crate::expr::{Expr, ExprKind};
use crate::source::Span;
use std::collections::BTreeSet;

/// What stands around a statement.
#[derive(Clone)]
pub(super) struct Surroundings {
    pub is_clocked: bool,
    /// Signals that the block assigns.
    pub targets: Vec<String>,
}

impl Lister<'_> {
    pub(super) fn always(&mut self, always: &Always) {
        if self.only_checks(&always.body) {
            return;
        }
        let mut targets = BTreeSet::new();
        assigned(&always.body, &mut targets);
        let surroundings = Surroundings {
            is_clocked: !always.edges.is_empty(),
            targets: targets
                .into_iter()
                .filter(|name| !self.checking.contains(name.as_str()))
                .collect(),
        };
        self.resets = Vec::new();
        self.statement(&always.body, Some(&surroundings));
        if !surroundings.is_clocked {
            self.missing_first_values(always, &surroundings);
        }
        if surroundings.is_clocked {
            self.all_nonblocking(always);
            self.missing_resets(always, &surroundings);
        }
    }

    pub(super) fn initial(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Block { statements, .. } => {
                for one in statements {
                    self.initial(one);
                }
            }
            StatementKind::Assign { target, .. } if self.is_checking(target) => {}
            StatementKind::Assign { target, value, .. } => {
                self.constant(value, EditKind::Reset);
                if let (Some(span), Some(width)) = (value.span, self.width(target)) {
                    self.constant_edits(span, width);
                }
            }
            StatementKind::For { body, .. } => self.initial(body),
            _ => {}
        }
    }

    /// Other constants for a reset or initial value.
    fn constant_edits(&mut self, span: Span, width: usize) {
        for text in self.constant_texts(width) {
            self.push(SourceEdit {
                kind: EditKind::Reset,
                changes: vec![(span, text)],
                cost: cost::CONSTANT_VALUE,
                within: None,
                new_signals: 0,
            });
        }
    }

    /// Constants of a width as a person writes them.
    fn constant_texts(&self, width: usize) -> Vec<String> {
        let mut texts = Vec::new();
        let constants = self.names.iter().filter(|one| {
            one.width == width && one.width < 32 && matches!(one.kind, VisibleKind::Constant(_))
        });
        texts.extend(constants.map(|one| one.name.clone()));
        match width {
            1 => texts.extend(["1'b0".to_string(), "1'b1".to_string()]),
            2..=4 => texts.extend((0..1 << width).map(|value| format!("{width}'d{value}"))),
            _ => texts.extend([format!("{width}'d0"), format!("{{{width}{{1'b1}}}}")]),
        }
        texts
    }

    /// Whether a statement asserts something and does nothing else: its conditions say when
    /// it is asserted.
    fn only_checks(&self, statement: &Statement) -> bool {
        let mut asserts = false;
        self.has_no_effect(statement, &mut asserts) && asserts
    }

    fn has_no_effect(&self, statement: &Statement, asserts: &mut bool) -> bool {
        stacker::maybe_grow(128 << 10, 1 << 20, || match &statement.kind {
            StatementKind::Nothing | StatementKind::SystemTask => true,
            StatementKind::Assertion(_) => {
                *asserts = true;
                true
            }
            StatementKind::Block { statements, .. } => statements
                .iter()
                .all(|one| self.has_no_effect(one, asserts)),
            StatementKind::If {
                then, otherwise, ..
            } => {
                self.has_no_effect(then, asserts)
                    && otherwise
                        .as_ref()
                        .is_none_or(|one| self.has_no_effect(one, asserts))
            }
            StatementKind::Case { items, .. } => items
                .iter()
                .all(|item| self.has_no_effect(&item.body, asserts)),
            StatementKind::For { body, .. }
            | StatementKind::While(_, body)
            | StatementKind::Repeat(_, body) => self.has_no_effect(body, asserts),
            StatementKind::Assign { target, .. } => self.is_checking(target),
            StatementKind::Call(..) | StatementKind::Return(_) => false,
        })
    }

    pub(super) fn statement(&mut self, statement: &Statement, around: Option<&Surroundings>) {
        if self.only_checks(statement) {
            return;
        }
        stacker::maybe_grow(128 << 10, 1 << 20, || match &statement.kind {
            StatementKind::Assign { target, .. } if self.is_checking(target) => {}
            StatementKind::Assertion(_) => {}
            StatementKind::Block { statements, .. } => {
                for one in statements {
                    self.statement(one, around);
                }
            }
            StatementKind::Assign {
                target,
                value,
                blocking,
                operator,
                compound,
            } => {
                self.value(value, Some(target), None);
                self.target(target, around);
                if let (Some(around), false) = (around, *compound) {
                    let other = if *blocking { "<=" } else { "=" };
                    // Only registers have two kinds of assignments.
                    if around.is_clocked {
                        self.push(SourceEdit {
                            kind: EditKind::Assignment,
                            changes: vec![(*operator, other.to_string())],
                            cost: cost::ASSIGNMENT + !*blocking as u32,
                            within: None,
                            new_signals: 0,
                        });
                    }
                }
                if let ExprKind::Index(_, index) = &target.kind {
                    self.connection(index);
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition);
                self.statement(then, around);
                match otherwise {
                    Some(otherwise) => self.statement(otherwise, around),
                    None => self.missing_else(statement, then, around),
                }
            }
            StatementKind::Case {
                selector,
                items,
                end,
                ..
            } => {
                self.label(selector, ComponentKind::Condition);
                for label in items.iter().flat_map(|item| &item.labels) {
                    self.label(label, ComponentKind::Label);
                }
                for item in items {
                    self.statement(&item.body, around);
                }
                if items.iter().all(|item| !item.labels.is_empty()) {
                    self.missing_default(items, *end, around);
                }
            }
            StatementKind::For {
                start,
                condition,
                body,
                ..
            } => {
                if let StatementKind::Assign { value, .. } = &start.kind {
                    self.constant(value, EditKind::Literal);
                }
                self.constant(condition, EditKind::Literal);
                self.statement(body, around);
            }
            StatementKind::While(_, body) | StatementKind::Repeat(_, body) => {
                self.statement(body, around);
            }
            StatementKind::Call(_, arguments) => {
                for argument in arguments {
                    self.connection(argument);
                }
            }
            StatementKind::Return(Some(value)) => self.value(value, None, None),
            StatementKind::Return(None) | StatementKind::Nothing | StatementKind::SystemTask => {}
        });
    }

    /// Other signals that the block could mean.
    fn target(&mut self, target: &Expr, around: Option<&Surroundings>) {
        let base = match &target.kind {
            ExprKind::Index(base, _) => base,
            _ => target,
        };
        let (ExprKind::Name(path), Some(span)) = (&base.kind, base.span) else {
            return;
        };
        let [name] = path.as_slice() else {
            return;
        };
        let Some(own) = self.visible(name).cloned() else {
            return;
        };
        let others: Vec<String> = self
            .names
            .iter()
            .filter(|one| is_assignable(one, &own, around))
            .map(|one| one.name.clone())
            .collect();
        for other in others {
            self.push(SourceEdit {
                kind: EditKind::Target,
                changes: vec![(span, other)],
                cost: cost::TARGET,
                within: None,
                new_signals: 0,
            });
        }
        if let ExprKind::Index(base, index) = &target.kind
            && let (ExprKind::Number(number), Some(span), Some(count)) =
                (&index.kind, index.span, self.width_of_base(base))
            && let Some(value) = number.value()
        {
            for other in 0..count.min(32) as u128 {
                if other != value {
                    self.push(SourceEdit {
                        kind: EditKind::Target,
                        changes: vec![(span, other.to_string())],
                        cost: cost::TARGET,
                        within: None,
                        new_signals: 0,
                    });
                }
            }
        }
    }

    fn width_of_base(&self, base: &Expr) -> Option<usize> {
        match &base.kind {
            ExprKind::Name(path) => match path.as_slice() {
                [name] => self.visible(name).map(|one| one.width),
                _ => None,
            },
            _ => None,
        }
    }

    /// Every `=` of a clocked block at once.
    fn all_nonblocking(&mut self, always: &Always) {
        let mut operators = Vec::new();
        blocking_operators(&always.body, &mut operators);
        if operators.len() > 1 {
            let count = operators.len() as u32;
            self.push(SourceEdit {
                kind: EditKind::Assignment,
                changes: operators
                    .into_iter()
                    .map(|span| (span, "<=".to_string()))
                    .collect(),
                cost: cost::ASSIGNMENT + count.min(4),
                within: None,
                new_signals: 0,
            });
        }
    }

    /// A value for each signal at the top of a combinational block, before any branch.
    fn missing_first_values(&mut self, always: &Always, around: &Surroundings) {
        let StatementKind::Block { statements, .. } = &always.body.kind else {
            return;
        };
        let Some(first) = statements.first() else {
            return;
        };
        let before = Span {
            end: first.span.start,
            ..first.span
        };
        let indent = self.indent_of(first.span);
        for target in &around.targets {
            for value in self.branch_values(target) {
                self.push(SourceEdit {
                    kind: EditKind::Branch,
                    changes: vec![(before, format!("{target} = {value};\n{indent}"))],
                    cost: cost::BRANCH + 1,
                    within: None,
                    new_signals: 0,
                });
            }
        }
    }

    fn missing_else(
        &mut self,
        statement: &Statement,
        then: &Statement,
        around: Option<&Surroundings>,
    ) {
        let Some(around) = around else {
            return;
        };
        let mut targets = BTreeSet::new();
        assigned(then, &mut targets);
        let after = Span {
            start: statement.span.end,
            ..statement.span
        };
        let operator = if around.is_clocked { "<=" } else { "=" };
        let indent = self.indent_of(statement.span);
        for target in &targets {
            for value in self.branch_values(target) {
                let text = format!("\n{indent}else\n{indent}    {target} {operator} {value};");
                self.push(SourceEdit {
                    kind: EditKind::Branch,
                    changes: vec![(after, text)],
                    cost: cost::BRANCH,
                    within: None,
                    new_signals: 0,
                });
            }
        }
    }

    fn missing_default(&mut self, items: &[CaseItem], end: Span, around: Option<&Surroundings>) {
        let Some(around) = around else {
            return;
        };
        let mut targets = BTreeSet::new();
        for item in items {
            assigned(&item.body, &mut targets);
        }
        let before = Span {
            end: end.start,
            ..end
        };
        let operator = if around.is_clocked { "<=" } else { "=" };
        let indent = self.indent_of(end);
        for target in &targets {
            for value in self.branch_values(target) {
                let text = format!("    default: {target} {operator} {value};\n{indent}");
                self.push(SourceEdit {
                    kind: EditKind::Branch,
                    changes: vec![(before, text)],
                    cost: cost::BRANCH,
                    within: None,
                    new_signals: 0,
                });
            }
        }
        if targets.len() > 1 {
            // All at once, each with its own value: zeros, or what the name suggests.
            let zeros: Vec<String> = targets
                .iter()
                .filter_map(|target| {
                    let value = self.branch_values(target).into_iter().next()?;
                    Some(format!("{target} {operator} {value};"))
                })
                .collect();
            let text = format!("    default: begin {} end\n{indent}", zeros.join(" "));
            self.push(SourceEdit {
                kind: EditKind::Branch,
                changes: vec![(before, text)],
                cost: cost::BRANCH + 2,
                within: None,
                new_signals: 0,
            });
        }
    }

    /// What a missing branch may assign: a constant, or a signal of the same width.
    fn branch_values(&self, target: &str) -> Vec<String> {
        let Some(own) = self.visible(target) else {
            return Vec::new();
        };
        if own.family.is_some() {
            let family = self.names.iter().filter(|one| one.family == own.family);
            return family
                .filter(|one| one.name != own.name)
                .map(|one| one.name.clone())
                .collect();
        }
        let mut values = self.constant_texts(own.width);
        let signals = self.names.iter().filter(|one| {
            one.width == own.width
                && one.name != own.name
                && !matches!(one.kind, VisibleKind::Constant(_) | VisibleKind::Array)
        });
        values.extend(signals.map(|one| one.name.clone()));
        values
    }

    /// Registers that the block assigns and its reset branch forgets.
    fn missing_resets(&mut self, always: &Always, around: &Surroundings) {
        let body = inner(&always.body);
        let StatementKind::If {
            condition,
            then,
            otherwise: Some(_),
        } = &body.kind
        else {
            self.missing_reset_branch(always, around);
            return;
        };
        if !is_test_of_one_signal(condition) {
            self.missing_reset_branch(always, around);
            return;
        }
        let mut reset = BTreeSet::new();
        assigned(then, &mut reset);
        for target in around.targets.iter().filter(|name| !reset.contains(*name)) {
            let Some(own) = self.visible(target) else {
                continue;
            };
            if own.kind != VisibleKind::Register {
                continue;
            }
            for value in self.constant_texts(own.width) {
                let changes = self.added_statement(then, &format!("{target} <= {value};"));
                self.push(SourceEdit {
                    kind: EditKind::Reset,
                    changes,
                    cost: cost::BRANCH,
                    within: None,
                    new_signals: 0,
                });
            }
        }
    }

    /// `if (rst) q <= 0; else` before a body without a reset.
    fn missing_reset_branch(&mut self, always: &Always, around: &Surroundings) {
        let [target] = around.targets.as_slice() else {
            return;
        };
        let Some(own) = self.visible(target).cloned() else {
            return;
        };
        let body = inner(&always.body);
        let before = Span {
            end: body.span.start,
            ..body.span
        };
        let indent = self.indent_of(body.span);
        let resets: Vec<String> = self
            .names
            .iter()
            .filter(|one| one.width == 1 && looks_like_reset(&one.name))
            .map(|one| one.name.clone())
            .collect();
        for reset in resets {
            let test = match is_active_low(&reset) {
                true => format!("!{reset}"),
                false => reset,
            };
            for value in self.constant_texts(own.width) {
                let text = format!(
                    "if ({test})\n{indent}    {target} <= {value};\n{indent}else\n{indent}    "
                );
                self.push(SourceEdit {
                    kind: EditKind::Reset,
                    changes: vec![(before, text)],
                    cost: cost::BRANCH + 1,
                    within: None,
                    new_signals: 0,
                });
            }
        }
    }

    /// The text that adds a statement behind the others of a branch.
    fn added_statement(&self, branch: &Statement, text: &str) -> Vec<(Span, String)> {
        match &branch.kind {
            StatementKind::Block { statements, .. } if !statements.is_empty() => {
                let last = statements[statements.len() - 1].span;
                let after = Span {
                    start: last.end,
                    ..last
                };
                let indent = self.indent_of(last);
                vec![(after, format!("\n{indent}{text}"))]
            }
            _ => {
                let indent = self.indent_of(branch.span);
                let outer = indent.strip_suffix("    ").unwrap_or(&indent).to_string();
                let before = Span {
                    end: branch.span.start,
                    ..branch.span
                };
                let after = Span {
                    start: branch.span.end,
                    ..branch.span
                };
                vec![
                    (before, format!("begin\n{indent}")),
                    (after, format!("\n{indent}{text}\n{outer}end")),
                ]
            }
        }
    }

    /// The blanks before the line of a place.
    fn indent_of(&self, span: Span) -> String {
        let text = &self.sources.file(span.file).text;
        let start = text[..span.start as usize]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let line = &text[start..];
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        line[..blank].to_string()
    }
}

/// Whether another name could be the target: one that the block assigns already, or that
/// nothing may be driving. What is driven elsewhere is found out when the text is read.
fn is_assignable(one: &VisibleName, own: &VisibleName, around: Option<&Surroundings>) -> bool {
    let assigned = around.is_none_or(|around| around.targets.contains(&one.name));
    let is_driven = matches!(one.kind, VisibleKind::Input | VisibleKind::Constant(_));
    one.width == own.width
        && one.name != own.name
        && !is_driven
        && (assigned || one.kind == VisibleKind::Logic)
        && (one.kind == VisibleKind::Array) == (own.kind == VisibleKind::Array)
}

/// The names that statements assign.
fn assigned(statement: &Statement, names: &mut BTreeSet<String>) {
    fn base(target: &Expr, names: &mut BTreeSet<String>) {
        match &target.kind {
            ExprKind::Concat(items) => items.iter().for_each(|item| base(item, names)),
            ExprKind::Index(inner, _)
            | ExprKind::Range(inner, ..)
            | ExprKind::IndexedRange { base: inner, .. } => base(inner, names),
            ExprKind::Name(path) => {
                names.insert(path.join("."));
            }
            _ => {}
        }
    }
    stacker::maybe_grow(128 << 10, 1 << 20, || match &statement.kind {
        StatementKind::Assign { target, .. } => base(target, names),
        StatementKind::Block { statements, .. } => {
            statements.iter().for_each(|one| assigned(one, names));
        }
        StatementKind::If {
            then, otherwise, ..
        } => {
            assigned(then, names);
            if let Some(otherwise) = otherwise {
                assigned(otherwise, names);
            }
        }
        StatementKind::Case { items, .. } => {
            items.iter().for_each(|item| assigned(&item.body, names));
        }
        StatementKind::For { body, .. }
        | StatementKind::While(_, body)
        | StatementKind::Repeat(_, body) => assigned(body, names),
        _ => {}
    });
}

fn blocking_operators(statement: &Statement, operators: &mut Vec<Span>) {
    stacker::maybe_grow(128 << 10, 1 << 20, || match &statement.kind {
        StatementKind::Assign {
            blocking: true,
            compound: false,
            operator,
            ..
        } => operators.push(*operator),
        StatementKind::Block { statements, .. } => {
            for one in statements {
                blocking_operators(one, operators);
            }
        }
        StatementKind::If {
            then, otherwise, ..
        } => {
            blocking_operators(then, operators);
            if let Some(otherwise) = otherwise {
                blocking_operators(otherwise, operators);
            }
        }
        StatementKind::Case { items, .. } => {
            for item in items {
                blocking_operators(&item.body, operators);
            }
        }
        _ => {}
    });
}

fn inner(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Block { statements, .. } if statements.len() == 1 => inner(&statements[0]),
        _ => statement,
    }
}

fn is_test_of_one_signal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => true,
        ExprKind::Unary(_, operand) => is_test_of_one_signal(operand),
        ExprKind::Binary(_, left, right) => {
            is_test_of_one_signal(left) && matches!(right.kind, ExprKind::Number(_))
        }
        _ => false,
    }
}

pub(super) fn looks_like_reset(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("rst") || name.contains("reset") || name == "clear" || name == "clr"
}

fn is_active_low(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("_n") || name.ends_with('n') && !name.ends_with("en")
}
