//! The walk over expressions: which template is tried where.

use super::{Kind, Lister, SourceEdit, cost};
use crate::design::component::ComponentKind;
use crate::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::source::Span;

/// What is known of an expression from where it stands.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// The component that the expression belongs to.
    pub within: Option<(Span, ComponentKind)>,
    /// Whether only its truth matters.
    pub is_condition: bool,
    /// Whether it is the whole right-hand side or condition.
    pub is_whole: bool,
    /// Whether it must stay a constant.
    pub is_constant: bool,
    /// Whether it is in a concatenation, which has the width of its parts.
    pub is_part: bool,
    /// Whether a unary operator stands before it: what follows one is no unary operator but in
    /// parentheses (IEEE 1800-2017, A.8.3).
    pub is_below_unary: bool,
    /// The width of what the whole is assigned to, if known.
    pub target_width: Option<usize>,
    /// What all edits in it are called, if not after their template.
    pub kind: Option<Kind>,
}

impl Context {
    /// A whole expression outside of all components.
    const OUTSIDE: Context = Context {
        within: None,
        is_condition: false,
        is_whole: true,
        is_constant: false,
        is_part: false,
        is_below_unary: false,
        target_width: None,
        kind: None,
    };

    /// A whole component.
    fn of_component(span: Span, kind: ComponentKind) -> Context {
        Context {
            within: Some((span, kind)),
            ..Context::OUTSIDE
        }
    }
}

impl Lister<'_> {
    /// A right-hand side. The statement that it belongs to may give its edits a kind of
    /// their own, such as a reset.
    pub(super) fn value(&mut self, expr: &Expr, target: Option<&Expr>, kind: Option<Kind>) {
        let Some(span) = expr.span else {
            return;
        };
        let context = Context {
            target_width: target.and_then(|target| self.width(target)),
            kind,
            ..Context::of_component(span, ComponentKind::Value)
        };
        self.sketch_value(expr, span, target, context);
        let before = self.edits.len();
        self.expression(expr, context);
        let first = self.edits.len();
        self.other_values(expr, span, target, context);
        self.weigh_replacements(first, span);
        if let Some(target) = target {
            self.keep_enumerated(before, expr, target);
        }
    }

    /// To replace all of a longer expression is a larger edit than to replace a token.
    fn weigh_replacements(&mut self, first: usize, span: Span) {
        let old = self.text(span).to_string();
        let tokens = old.split(|one: char| !one.is_alphanumeric() && one != '_' && one != '\'');
        let tokens = tokens.filter(|one| !one.is_empty()).count() as u32;
        let more = tokens.saturating_sub(1).min(cost::MOST_FOR_TOKENS);
        for edit in &mut self.edits[first..] {
            let keeps = |(_, text): &(Span, String)| text.contains(&old);
            if !edit.changes.iter().any(keeps) {
                edit.cost += more;
            }
        }
    }

    /// A code that another label or constant has already is seldom meant.
    pub(super) fn weigh_repeated(
        &mut self,
        first: usize,
        whole: Option<Span>,
        is_known: impl Fn(&str) -> bool,
    ) {
        for edit in &mut self.edits[first..] {
            if let [(span, text)] = edit.changes.as_slice()
                && Some(*span) == whole
                && is_known(text)
            {
                edit.cost += cost::REPEATED_CODE;
            }
        }
    }

    pub(super) fn condition(&mut self, expr: &Expr) {
        let Some(span) = expr.span else {
            return;
        };
        let context = Context {
            is_condition: true,
            ..Context::of_component(span, ComponentKind::Condition)
        };
        self.sketch_condition(expr, span, context);
        self.expression(expr, context);
        let first = self.edits.len();
        self.other_conditions(expr, span, context);
        self.weigh_replacements(first, span);
    }

    /// The selector of a case, or one of its labels.
    pub(super) fn label(&mut self, expr: &Expr, kind: ComponentKind) {
        if let Some(span) = expr.span {
            self.expression(expr, Context::of_component(span, kind));
        }
    }

    /// An expression that must stay constant, as the value of a parameter.
    pub(super) fn constant(&mut self, expr: &Expr, kind: Kind) {
        let context = Context {
            is_constant: true,
            kind: Some(kind),
            ..Context::OUTSIDE
        };
        self.expression(expr, context);
    }

    /// What is connected to a port.
    pub(super) fn connection(&mut self, expr: &Expr) {
        self.expression(expr, Context::OUTSIDE);
    }

    /// Another text for a part of an expression.
    pub(super) fn edit(
        &mut self,
        span: Span,
        text: String,
        kind: Kind,
        cost: u32,
        context: Context,
    ) {
        self.edit_together(vec![(span, text)], kind, cost, context);
    }

    /// Other texts for several parts of an expression at once.
    pub(super) fn edit_together(
        &mut self,
        changes: Vec<(Span, String)>,
        kind: Kind,
        cost: u32,
        context: Context,
    ) {
        self.push(SourceEdit {
            within: context.within,
            template: kind,
            ..SourceEdit::new(context.kind.unwrap_or(kind), changes, cost)
        });
    }

    /// Edits of single tokens, everywhere in an expression but inside of what a macro stands for.
    pub(super) fn expression(&mut self, expr: &Expr, context: Context) {
        let Some(span) = expr.span.filter(|span| !self.is_sealed(*span)) else {
            return;
        };
        let inner = Context {
            is_whole: false,
            is_condition: false,
            is_below_unary: false,
            ..context
        };
        match &expr.kind {
            ExprKind::Number(number) => self.literal(span, number, context),
            ExprKind::Name(path) => {
                if let [name] = path.as_slice() {
                    self.other_names(span, name, context);
                }
            }
            ExprKind::Index(base, index) => self.element(base, index, inner),
            ExprKind::Range(base, left, right) => self.range(base, left, right, inner),
            ExprKind::IndexedRange { start, width, .. } => {
                self.expression(start, inner);
                let bound = Context {
                    is_constant: true,
                    ..inner
                };
                self.expression(width, bound);
            }
            ExprKind::Unary(operator, operand) => {
                self.unary(span, *operator, operand, context);
                let inner = Context {
                    is_condition: *operator == UnaryOp::LogicalNot,
                    is_below_unary: true,
                    ..inner
                };
                self.expression(operand, inner);
            }
            ExprKind::Binary(operator, left, right) => {
                self.binary(span, *operator, left, right, context);
                let operand = Context {
                    is_condition: matches!(operator, BinaryOp::LogicalAnd | BinaryOp::LogicalOr),
                    ..inner
                };
                self.expression(left, operand);
                self.expression(right, operand);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let within = condition.span.map(|span| (span, ComponentKind::Condition));
                let test = Context {
                    within: context.within.or(within),
                    is_condition: true,
                    ..inner
                };
                self.expression(condition, test);
                self.expression(then, inner);
                self.expression(otherwise, inner);
                self.swap(then, otherwise, context);
            }
            ExprKind::Concat(items) => {
                let part = Context {
                    is_part: true,
                    ..inner
                };
                for item in items {
                    self.expression(item, part);
                }
                for pair in items.windows(2) {
                    self.swap(&pair[0], &pair[1], context);
                }
                self.parts(span, items, context);
            }
            ExprKind::Replicate(_, items) => {
                let part = Context {
                    is_part: true,
                    ..inner
                };
                for item in items {
                    self.expression(item, part);
                }
            }
            ExprKind::Call(name, arguments) => {
                for argument in arguments {
                    self.expression(argument, inner);
                }
                for pair in arguments.windows(2) {
                    self.swap(&pair[0], &pair[1], context);
                }
                self.other_sign(span, name, context);
            }
            ExprKind::Net(_) | ExprKind::AllOnes | ExprKind::Member(..) => {}
        }
        self.added_negation(expr, span, context);
        if context.is_condition && !context.is_whole && !context.is_constant {
            self.inner_operands(expr, span, context);
        }
    }

    /// An element of a vector or array.
    fn element(&mut self, base: &Expr, index: &Expr, inner: Context) {
        self.index_base(base, inner);
        self.expression(index, inner);
        let whole = Context {
            is_whole: true,
            ..inner
        };
        self.offsets(index, whole);
        self.other_indices(index, whole);
    }

    /// A range with constant bounds.
    fn range(&mut self, base: &Expr, left: &Expr, right: &Expr, inner: Context) {
        self.index_base(base, inner);
        let bound = Context {
            is_constant: true,
            ..inner
        };
        self.expression(left, bound);
        self.expression(right, bound);
        self.shifted_range(left, right, inner);
    }

    /// A whole name of a vector or array that is indexed.
    fn index_base(&mut self, base: &Expr, context: Context) {
        if let (ExprKind::Name(path), Some(span)) = (&base.kind, base.span)
            && let [name] = path.as_slice()
        {
            self.other_signals(span, name, context);
        }
    }
}
