//! Edits of expressions.

use super::{EditKind, Lister, SourceEdit};
use crate::design::component::ComponentKind;
use crate::design::verilog::{VisibleKind, VisibleName};
use crate::expr::{BinaryOp, Digit, Expr, ExprKind, Number, UnaryOp};
use crate::source::Span;

/// What costs how much. A single token costs least; what adds a signal that was not there
/// costs more than what changes one that was.
pub(super) mod cost {
    pub const NEIGHBOUR: u32 = 10;
    pub const OPERATOR: u32 = 10;
    pub const CONSTANT_NAME: u32 = 11;
    pub const ASSIGNMENT: u32 = 11;
    pub const NEGATION: u32 = 12;
    pub const LITERAL: u32 = 13;
    pub const SIGNAL: u32 = 14;
    pub const SWAP: u32 = 13;
    pub const TARGET: u32 = 14;
    pub const BRANCH: u32 = 15;
    pub const DROP: u32 = 13;
    pub const OFFSET: u32 = 16;
    /// For reading a reset in place of another signal.
    pub const RESET_AS_DATA: u32 = 6;
    pub const CONSTANT_VALUE: u32 = 17;
    pub const OTHER_VALUE: u32 = 18;
    pub const ARITHMETIC_VALUE: u32 = 20;
    pub const EXTRA_OPERAND: u32 = 21;
    pub const EXTRA_COMPARISON: u32 = 24;
}

/// Literals up to this width get every value.
pub(super) const ALL_VALUES: usize = 4;

const FAMILIES: [&[BinaryOp]; 5] = [
    &[
        BinaryOp::Less,
        BinaryOp::LessEqual,
        BinaryOp::Greater,
        BinaryOp::GreaterEqual,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
    ],
    &[BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor],
    &[BinaryOp::LogicalAnd, BinaryOp::LogicalOr],
    &[BinaryOp::Add, BinaryOp::Subtract],
    &[
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::ArithmeticShiftRight,
    ],
];

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub within: Option<(Span, ComponentKind)>,
    /// Whether only its truth matters.
    pub is_condition: bool,
    /// Whether it is the whole right-hand side or condition.
    pub is_whole: bool,
    /// Whether it must stay a constant.
    pub is_constant: bool,
    /// The width of what the whole is assigned to, if known.
    pub room: Option<usize>,
    pub kind: Option<EditKind>,
}

impl Lister<'_> {
    /// A right-hand side. The statement before which it stands may have a kind of its own,
    /// such as a reset.
    pub(super) fn value(&mut self, expr: &Expr, target: Option<&Expr>, kind: Option<EditKind>) {
        let Some(span) = expr.span else {
            return;
        };
        let context = Context {
            within: Some((span, ComponentKind::Value)),
            is_condition: false,
            is_whole: true,
            is_constant: false,
            room: target.and_then(|target| self.width(target)),
            kind,
        };
        self.expression(expr, context);
        self.other_values(expr, span, target, context);
    }

    pub(super) fn condition(&mut self, expr: &Expr) {
        let Some(span) = expr.span else {
            return;
        };
        let context = Context {
            within: Some((span, ComponentKind::Condition)),
            is_condition: true,
            is_whole: true,
            is_constant: false,
            room: None,
            kind: None,
        };
        self.expression(expr, context);
        self.other_conditions(expr, span, context);
    }

    /// The selector of a case, or one of its labels.
    pub(super) fn label(&mut self, expr: &Expr, kind: ComponentKind) {
        let Some(span) = expr.span else {
            return;
        };
        let context = Context {
            within: Some((span, kind)),
            is_condition: false,
            is_whole: true,
            is_constant: false,
            room: None,
            kind: None,
        };
        self.expression(expr, context);
    }

    /// An expression that must stay constant, as the value of a parameter.
    pub(super) fn constant(&mut self, expr: &Expr, kind: EditKind) {
        let context = Context {
            within: None,
            is_condition: false,
            is_whole: true,
            is_constant: true,
            room: None,
            kind: Some(kind),
        };
        self.expression(expr, context);
    }

    /// What is connected to a port.
    pub(super) fn connection(&mut self, expr: &Expr) {
        let context = Context {
            within: None,
            is_condition: false,
            is_whole: true,
            is_constant: false,
            room: None,
            kind: None,
        };
        self.expression(expr, context);
    }

    pub(super) fn edit(
        &mut self,
        span: Span,
        text: String,
        kind: EditKind,
        cost: u32,
        context: Context,
    ) {
        self.push(SourceEdit {
            kind: context.kind.unwrap_or(kind),
            changes: vec![(span, text)],
            cost,
            within: context.within,
            new_signals: 0,
        });
    }

    /// Edits of single tokens, everywhere in an expression.
    pub(super) fn expression(&mut self, expr: &Expr, context: Context) {
        let Some(span) = expr.span else {
            return;
        };
        let inner = Context {
            is_whole: false,
            is_condition: false,
            ..context
        };
        match &expr.kind {
            ExprKind::Number(number) => self.literal(span, number, context),
            ExprKind::Name(path) => {
                if let [name] = path.as_slice() {
                    self.name(span, name, context);
                }
            }
            ExprKind::Index(base, index) => {
                self.index_base(base, inner);
                self.expression(index, inner);
                self.offsets(
                    index,
                    Context {
                        is_whole: true,
                        ..inner
                    },
                );
            }
            ExprKind::Range(base, left, right) => {
                self.index_base(base, inner);
                self.expression(
                    left,
                    Context {
                        is_constant: true,
                        ..inner
                    },
                );
                self.expression(
                    right,
                    Context {
                        is_constant: true,
                        ..inner
                    },
                );
                self.shifted_range(left, right, inner);
            }
            ExprKind::IndexedRange { start, .. } => self.expression(start, inner),
            ExprKind::Unary(operator, operand) => {
                self.unary(span, *operator, operand, context);
                let truth = *operator == UnaryOp::LogicalNot;
                self.expression(
                    operand,
                    Context {
                        is_condition: truth,
                        ..inner
                    },
                );
            }
            ExprKind::Binary(operator, left, right) => {
                self.binary(span, *operator, left, right, context);
                let truth = matches!(operator, BinaryOp::LogicalAnd | BinaryOp::LogicalOr);
                let operand = Context {
                    is_condition: truth,
                    ..inner
                };
                self.expression(left, operand);
                self.expression(right, operand);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let within = condition.span.map(|span| (span, ComponentKind::Condition));
                self.expression(
                    condition,
                    Context {
                        within: context.within.or(within),
                        is_condition: true,
                        ..inner
                    },
                );
                self.expression(then, inner);
                self.expression(otherwise, inner);
                self.swap(then, otherwise, context);
            }
            ExprKind::Concat(items) => {
                for item in items {
                    self.expression(item, inner);
                }
                for pair in items.windows(2) {
                    self.swap(&pair[0], &pair[1], context);
                }
            }
            ExprKind::Replicate(_, items) => {
                for item in items {
                    self.expression(item, inner);
                }
            }
            ExprKind::Call(name, arguments) => {
                for argument in arguments {
                    self.expression(argument, inner);
                }
                if let [first, second] = arguments.as_slice() {
                    self.swap(first, second, context);
                }
                let sign = match name.as_str() {
                    "$signed" => Some("$unsigned"),
                    "$unsigned" => Some("$signed"),
                    _ => None,
                };
                if let Some(sign) = sign {
                    let start = Span {
                        end: span.start + name.len() as u32,
                        ..span
                    };
                    let cost = cost::OPERATOR;
                    self.edit(start, sign.to_string(), EditKind::Operator, cost, context);
                }
            }
            ExprKind::Net(_) | ExprKind::AllOnes | ExprKind::Member(..) => {}
        }
        let negatable = context.is_condition || self.width(expr) == Some(1);
        let already = matches!(
            expr.kind,
            ExprKind::Unary(UnaryOp::LogicalNot | UnaryOp::BitNot, _) | ExprKind::Number(_)
        );
        let is_vector = self.width(expr).is_some_and(|width| width > 1);
        if is_vector && !already && !context.is_condition && !context.is_constant {
            let text = format!("~{}", self.operand_text(expr, span));
            self.edit(span, text, EditKind::Negation, cost::NEGATION + 1, context);
        }
        if negatable && !already && !context.is_constant {
            let text = self.operand_text(expr, span);
            let text = format!("!{text}");
            self.edit(span, text, EditKind::Negation, cost::NEGATION, context);
        }
    }

    /// The text of an expression, in parentheses if it is more than one operand.
    pub(super) fn operand_text(&self, expr: &Expr, span: Span) -> String {
        let text = self.text(span);
        match expr.kind {
            ExprKind::Binary(..) | ExprKind::Conditional(..) | ExprKind::Unary(..)
                if !text.starts_with('(') || !is_grouped(text) =>
            {
                format!("({text})")
            }
            _ => text.to_string(),
        }
    }

    /// A whole name of a vector or array that is indexed.
    fn index_base(&mut self, base: &Expr, context: Context) {
        if let (ExprKind::Name(path), Some(span)) = (&base.kind, base.span)
            && let [name] = path.as_slice()
        {
            self.other_signals(span, name, context);
        }
    }

    fn literal(&mut self, span: Span, number: &Number, context: Context) {
        let text = self.text(span).to_string();
        if !number.is_known() {
            self.wildcards(span, &text, context);
            return;
        }
        let Some(value) = number.value().and_then(|value| i64::try_from(value).ok()) else {
            return;
        };
        let width = number.width.map(|width| width as usize);
        let room = context.room.filter(|_| context.is_whole).or(width);
        let limit = match width.into_iter().chain(room).min() {
            Some(width) if width < 62 => 1i64 << width,
            _ => i64::MAX,
        };
        let mut values: Vec<(i64, u32)> = vec![
            (value + 1, cost::NEIGHBOUR),
            (value - 1, cost::NEIGHBOUR),
            (0, cost::LITERAL),
            (1, cost::LITERAL),
            (value.saturating_mul(2), cost::LITERAL),
            (value / 2, cost::LITERAL),
            (value + 2, cost::LITERAL),
            (value - 2, cost::LITERAL),
        ];
        let known_width = width.or(match context.is_constant {
            true => None,
            false => Some(ALL_VALUES),
        });
        match known_width {
            Some(width) if width <= ALL_VALUES => {
                values.extend((0..1i64 << width).map(|value| (value, cost::LITERAL)));
            }
            _ => {}
        }
        if width.is_some() && limit < i64::MAX {
            values.push((limit - 1, cost::LITERAL));
            let mut bit = 1;
            while bit < limit {
                values.push((value ^ bit, cost::LITERAL));
                bit <<= 1;
            }
        }
        for (value, cost) in values {
            if (0..limit).contains(&value)
                && let Some(text) = number_text(&text, number, value)
            {
                self.edit(span, text, EditKind::Literal, cost, context);
            }
        }
        if let Some(width) = width {
            let constants = self.constants_of(width);
            for name in constants {
                self.edit(span, name, EditKind::Literal, cost::LITERAL, context);
            }
            if !context.is_constant {
                let signals = self.signals_of(width);
                let around = context.within.map(|(span, _)| self.text(span).to_string());
                for name in signals {
                    // `a - a` is a constant, and written so.
                    if around.as_ref().is_some_and(|text| text.contains(&name)) {
                        continue;
                    }
                    let cost = self.signal_cost(&name, cost::OFFSET);
                    self.edit(span, name, EditKind::Signal, cost, context);
                }
            }
        }
    }

    /// Signals of a width.
    pub(super) fn signals_of(&self, width: usize) -> Vec<String> {
        let names = self.names.iter();
        names
            .filter(|one| one.width == width)
            .filter(|one| !matches!(one.kind, VisibleKind::Constant(_) | VisibleKind::Array))
            .map(|one| one.name.clone())
            .collect()
    }

    /// A reset is seldom meant as data.
    pub(super) fn signal_cost(&self, name: &str, cost: u32) -> u32 {
        match super::statement::looks_like_reset(name) {
            true => cost + cost::RESET_AS_DATA,
            false => cost,
        }
    }

    /// One more, or one less.
    fn offsets(&mut self, expr: &Expr, context: Context) {
        let Some(span) = expr.span else {
            return;
        };
        if matches!(expr.kind, ExprKind::Number(_)) || context.is_constant {
            return;
        }
        let one = match self.width(expr) {
            Some(width) if width > 1 => format!("{width}'d1"),
            _ => return,
        };
        let operand = self.operand_text(expr, span);
        for operator in ["+", "-"] {
            let text = match context.is_whole {
                true => format!("{operand} {operator} {one}"),
                false => format!("({operand} {operator} {one})"),
            };
            self.edit(span, text, EditKind::Value, cost::OFFSET, context);
        }
    }

    /// Other digits of a label such as `4'b01??`.
    fn wildcards(&mut self, span: Span, text: &str, context: Context) {
        let Some(start) = text.find(['b', 'B']) else {
            return;
        };
        for (offset, digit) in text.char_indices().skip(start + 1) {
            for other in ['0', '1', '?'] {
                if digit != '_' && digit != other {
                    let mut changed = text.to_string();
                    changed.replace_range(offset..offset + digit.len_utf8(), &other.to_string());
                    self.edit(span, changed, EditKind::Literal, cost::NEIGHBOUR, context);
                }
            }
        }
    }

    pub(super) fn constants_of(&self, width: usize) -> Vec<String> {
        let names = self.names.iter();
        names
            .filter(|name| name.width == width && matches!(name.kind, VisibleKind::Constant(_)))
            .map(|name| name.name.clone())
            .collect()
    }

    pub(super) fn visible(&self, name: &str) -> Option<&VisibleName> {
        self.names.iter().find(|one| one.name == name)
    }

    fn name(&mut self, span: Span, name: &str, context: Context) {
        let Some(own) = self.visible(name).cloned() else {
            return;
        };
        if let VisibleKind::Constant(_) = own.kind {
            let others: Vec<String> = self
                .names
                .iter()
                .filter(|one| matches!(one.kind, VisibleKind::Constant(_)))
                .filter(|one| one.width == own.width && one.family == own.family)
                .filter(|one| one.name != own.name)
                .map(|one| one.name.clone())
                .collect();
            for other in others {
                self.edit(span, other, EditKind::Literal, cost::CONSTANT_NAME, context);
            }
            // The values of an enumeration are no numbers.
            for shift in ["+ 1", "- 1"].iter().filter(|_| own.family.is_none()) {
                let text = match context.is_whole {
                    true => format!("{name} {shift}"),
                    false => format!("({name} {shift})"),
                };
                self.edit(span, text, EditKind::Literal, cost::LITERAL, context);
            }
            return;
        }
        if !context.is_constant {
            self.other_signals(span, name, context);
        }
    }

    fn other_signals(&mut self, span: Span, name: &str, context: Context) {
        let Some(own) = self.visible(name).cloned() else {
            return;
        };
        let others: Vec<(String, u32)> = self
            .names
            .iter()
            .filter(|one| one.width == own.width && one.name != own.name)
            .filter(|one| match (own.kind, one.kind) {
                (VisibleKind::Array, kind) | (kind, VisibleKind::Array) => {
                    kind == VisibleKind::Array
                }
                (_, VisibleKind::Constant(_)) => own.family.is_some() && own.family == one.family,
                _ => true,
            })
            .map(|one| {
                let similar = shares_letters(&one.name, name);
                let cost = cost::SIGNAL - similar as u32;
                (one.name.clone(), self.signal_cost(&one.name, cost))
            })
            .collect();
        for (other, cost) in others {
            self.edit(span, other, EditKind::Signal, cost, context);
        }
    }

    /// `[3:1]` may be `[2:0]`.
    fn shifted_range(&mut self, left: &Expr, right: &Expr, context: Context) {
        let (ExprKind::Number(high), ExprKind::Number(low)) = (&left.kind, &right.kind) else {
            return;
        };
        let (Some(left_span), Some(right_span)) = (left.span, right.span) else {
            return;
        };
        let (Some(high), Some(low)) = (high.value(), low.value()) else {
            return;
        };
        for (high, low) in [
            (high + 1, low + 1),
            (high.wrapping_sub(1), low.wrapping_sub(1)),
        ] {
            if high < 1 << 20 && low < 1 << 20 {
                self.push(SourceEdit {
                    kind: context.kind.unwrap_or(EditKind::Literal),
                    changes: vec![(left_span, high.to_string()), (right_span, low.to_string())],
                    cost: cost::LITERAL,
                    within: context.within,
                    new_signals: 0,
                });
            }
        }
    }

    fn unary(&mut self, span: Span, operator: UnaryOp, operand: &Expr, context: Context) {
        let Some(inner) = operand.span else {
            return;
        };
        let symbol = Span {
            end: inner.start.max(span.start),
            ..span
        };
        match operator {
            UnaryOp::LogicalNot | UnaryOp::BitNot => {
                let text = self.text(inner).to_string();
                self.edit(span, text, EditKind::Negation, cost::NEGATION, context);
            }
            UnaryOp::Minus => {
                let text = self.text(inner).to_string();
                self.edit(span, text, EditKind::Operator, cost::OPERATOR, context);
            }
            _ => {
                for other in ["&", "|", "^", "~&", "~|", "~^"] {
                    if other != operator.symbol() {
                        let cost = cost::OPERATOR;
                        self.edit(symbol, other.to_string(), EditKind::Operator, cost, context);
                    }
                }
            }
        }
    }

    fn binary(
        &mut self,
        span: Span,
        operator: BinaryOp,
        left: &Expr,
        right: &Expr,
        context: Context,
    ) {
        let (Some(left_span), Some(right_span)) = (left.span, right.span) else {
            return;
        };
        if left_span.file != right_span.file || left_span.end > right_span.start {
            return;
        }
        let between = Span {
            start: left_span.end,
            end: right_span.start,
            ..span
        };
        // The first symbol between the operands that is the operator; comments come later.
        let offset = self.text(between).find(operator.symbol());
        if let Some(offset) = offset {
            let start = between.start + offset as u32;
            let symbol = Span {
                start,
                end: start + operator.symbol().len() as u32,
                ..span
            };
            let family = FAMILIES.iter().find(|family| family.contains(&operator));
            for other in family.into_iter().copied().flatten() {
                let text = other.symbol().to_string();
                self.edit(symbol, text, EditKind::Operator, cost::OPERATOR, context);
            }
            let one_bit =
                context.is_condition || self.width(left) == Some(1) && self.width(right) == Some(1);
            let relatives: &[BinaryOp] = match operator {
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if one_bit => {
                    &[BinaryOp::LogicalAnd, BinaryOp::LogicalOr]
                }
                BinaryOp::LogicalAnd | BinaryOp::LogicalOr => &[BinaryOp::BitXor],
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                    &[BinaryOp::Add, BinaryOp::Subtract]
                }
                BinaryOp::Add | BinaryOp::Subtract => {
                    &[BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor]
                }
                _ => &[],
            };
            for other in relatives {
                let text = other.symbol().to_string();
                self.edit(
                    symbol,
                    text,
                    EditKind::Operator,
                    cost::OPERATOR + 1,
                    context,
                );
            }
        }
        let swappable = !matches!(
            operator,
            BinaryOp::Add
                | BinaryOp::Multiply
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::LogicalAnd
                | BinaryOp::LogicalOr
                | BinaryOp::Equal
                | BinaryOp::NotEqual
        );
        if swappable {
            self.swap(left, right, context);
        }
        let compares = FAMILIES[0].contains(&operator);
        if compares {
            let inner = Context {
                is_whole: false,
                ..context
            };
            self.offsets(left, inner);
            self.offsets(right, inner);
        }
        let same_size = !operator.gives_one_bit()
            || matches!(operator, BinaryOp::LogicalAnd | BinaryOp::LogicalOr);
        if same_size {
            for (operand, operand_span) in [(left, left_span), (right, right_span)] {
                let text = match context.is_whole {
                    true => self.text(operand_span).to_string(),
                    false => self.operand_text(operand, operand_span),
                };
                self.edit(span, text, EditKind::Value, cost::DROP, context);
            }
        }
    }

    fn swap(&mut self, first: &Expr, second: &Expr, context: Context) {
        let (Some(first_span), Some(second_span)) = (first.span, second.span) else {
            return;
        };
        let (one, other) = (
            self.text(first_span).to_string(),
            self.text(second_span).to_string(),
        );
        if one == other || first_span.file != second_span.file {
            return;
        }
        self.push(SourceEdit {
            kind: context.kind.unwrap_or(EditKind::Operator),
            changes: vec![(first_span, other), (second_span, one)],
            cost: cost::SWAP,
            within: context.within,
            new_signals: 0,
        });
    }

    /// The width of an expression, where it is plain to see.
    pub(super) fn width(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            ExprKind::Number(number) => number.width.map(|width| width as usize),
            ExprKind::Name(path) => match path.as_slice() {
                [name] => self
                    .visible(name)
                    .filter(|one| one.kind != VisibleKind::Array)
                    .map(|one| one.width),
                _ => None,
            },
            ExprKind::Index(base, _) => match &base.kind {
                ExprKind::Name(path) => match path.as_slice() {
                    [name] => self.visible(name).map(|one| match one.kind {
                        VisibleKind::Array => one.width,
                        _ => 1,
                    }),
                    _ => None,
                },
                _ => Some(1),
            },
            ExprKind::Range(_, left, right) => match (&left.kind, &right.kind) {
                (ExprKind::Number(left), ExprKind::Number(right)) => {
                    let width = left.value()?.abs_diff(right.value()?) + 1;
                    usize::try_from(width).ok()
                }
                _ => None,
            },
            ExprKind::IndexedRange { width, .. } => match &width.kind {
                ExprKind::Number(width) => usize::try_from(width.value()?).ok(),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::BitNot | UnaryOp::Minus | UnaryOp::Plus, operand) => {
                self.width(operand)
            }
            ExprKind::Unary(..) => Some(1),
            ExprKind::Binary(operator, ..) if operator.gives_one_bit() => Some(1),
            ExprKind::Binary(
                BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::ArithmeticShiftLeft
                | BinaryOp::ArithmeticShiftRight
                | BinaryOp::Power,
                left,
                _,
            ) => self.width(left),
            ExprKind::Binary(_, left, right) | ExprKind::Conditional(_, left, right) => {
                Some(self.width(left)?.max(self.width(right)?))
            }
            ExprKind::Concat(items) => items.iter().map(|item| self.width(item)).sum(),
            _ => None,
        }
    }
}

/// Whether the parentheses at both ends of a text belong together.
fn is_grouped(text: &str) -> bool {
    let mut depth = 0;
    for (index, symbol) in text.char_indices() {
        match symbol {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return index + 1 == text.len();
                }
            }
            _ => {}
        }
    }
    false
}

/// Names that differ in a few letters were likely confused.
fn shares_letters(left: &str, right: &str) -> bool {
    let common = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(left, right)| left == right)
        .count();
    let common_end = left
        .bytes()
        .rev()
        .zip(right.bytes().rev())
        .take_while(|(left, right)| left == right)
        .count();
    2 * common.max(common_end) >= left.len().max(right.len())
}

/// Another value written as the number was.
fn number_text(text: &str, number: &Number, value: i64) -> Option<String> {
    let Some(quote) = text.find('\'') else {
        // A plain decimal; the name of a macro or parameter is not one.
        return text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
            .then(|| value.to_string());
    };
    let rest = &text[quote + 1..];
    let sign = rest.starts_with(['s', 'S']) as usize;
    let base = rest[sign..].chars().next()?;
    let head = &text[..quote + 1 + sign + base.len_utf8()];
    let written = rest[sign + base.len_utf8()..].trim().len();
    let digits = match base.to_ascii_lowercase() {
        'd' => value.to_string(),
        'h' => format!("{value:x}"),
        'o' => format!("{value:o}"),
        'b' => format!("{value:b}"),
        _ => return None,
    };
    let digits = match base.to_ascii_lowercase() {
        // As many digits as there were, where leading zeros were written.
        'b' | 'h' | 'o' => format!("{digits:0>written$}"),
        _ => digits,
    };
    debug_assert!(number.bits.iter().all(|digit| *digit != Digit::X));
    Some(format!("{head}{digits}"))
}
