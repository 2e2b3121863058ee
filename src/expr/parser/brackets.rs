//! What stands in brackets: selects, ranges, lists, replications, patterns, calls and casts.

use super::{Bracket, Parser, Pending, Separator, Step};
use crate::expr::codes;
use crate::expr::tree::{NodeId, NodeKind};
use crate::expr::{
    CAST, Dialect, INSIDE, PATTERN, PATTERN_KEY, STREAM_LEFT, STREAM_RIGHT, VALUE_RANGE,
};
use crate::source::{Diagnostic, Span};

impl Parser<'_, '_, '_> {
    pub(super) fn open_select(&mut self, operand: NodeId) -> Result<Step, Diagnostic> {
        let token = self.token();
        if !self.tree.is_selectable(operand) {
            return Err(Diagnostic::error(
                codes::SELECT_OF_EXPRESSION,
                "only a signal can be indexed",
            )
            .at(token.span, "this select")
            .at(self.span(operand), "is not of a signal")
            .help("shift and mask instead, as in `((a + b) >> 2) & 1`"));
        }
        self.tokens.advance();
        let bracket = Bracket::Select(operand, None);
        self.stack.push(Pending::Open(bracket, token.span));
        Ok(Step::Operator)
    }

    pub(super) fn separate(
        &mut self,
        operand: NodeId,
        separator: Separator,
    ) -> Result<Step, Diagnostic> {
        let token = self.token();
        let operand = self.reduce(operand, 0, false)?;
        match self.stack.pop() {
            Some(Pending::Question(condition, _)) if separator == Separator::Range => {
                self.tokens.advance();
                self.stack.push(Pending::Colon(condition, operand));
                Ok(Step::Operator)
            }
            Some(Pending::Open(Bracket::ValueRange(None), span))
                if separator == Separator::Range =>
            {
                self.tokens.advance();
                let bracket = Bracket::ValueRange(Some(operand));
                self.stack.push(Pending::Open(bracket, span));
                Ok(Step::Operator)
            }
            Some(Pending::Open(Bracket::Pattern(None, items), span))
                if separator == Separator::Range =>
            {
                self.tokens.advance();
                let bracket = Bracket::Pattern(Some(operand), items);
                self.stack.push(Pending::Open(bracket, span));
                Ok(Step::Operator)
            }
            Some(Pending::Open(Bracket::Select(base, None), span)) => {
                self.tokens.advance();
                let bracket = Bracket::Select(base, Some((separator, operand)));
                self.stack.push(Pending::Open(bracket, span));
                Ok(Step::Operator)
            }
            // A statement's own `:`, as in `assert name: formula`, or the select of a target,
            // whose bracket the statement has opened.
            None if separator == Separator::Range || self.dialect == Dialect::Source => {
                Ok(Step::Finished(operand))
            }
            pending => {
                self.stack.extend(pending);
                Err(self.misplaced(token))
            }
        }
    }

    pub(super) fn next_item(&mut self, operand: NodeId) -> Result<Step, Diagnostic> {
        let token = self.token();
        let operand = self.reduce(operand, 0, false)?;
        let operand = self.keyed(operand);
        match self.stack.last_mut() {
            Some(Pending::Open(
                Bracket::Call(_, items)
                | Bracket::Concat(items)
                | Bracket::Replicate(_, items)
                | Bracket::Inside(_, items)
                | Bracket::Pattern(_, items)
                | Bracket::PatternCount(_, items)
                | Bracket::Stream(_, _, Some(items)),
                _,
            )) => {
                items.push(operand);
                self.tokens.advance();
                Ok(Step::Operator)
            }
            // A list around expressions, as in `assign a = b, c = d;`.
            None if self.dialect == Dialect::Source => Ok(Step::Finished(operand)),
            _ => Err(self.misplaced(token)),
        }
    }

    /// The value of a pattern with the key before it, if there is one.
    pub(super) fn keyed(&mut self, operand: NodeId) -> NodeId {
        let key = match self.stack.last_mut() {
            Some(Pending::Open(Bracket::Pattern(key, _), _)) => key.take(),
            _ => None,
        };
        match key {
            Some(key) => {
                let span = self.span(key).to(self.span(operand));
                let kind = NodeKind::Call(PATTERN_KEY.to_string(), vec![key, operand]);
                self.add(kind, span)
            }
            None => operand,
        }
    }

    /// `{ count {`
    pub(super) fn open_replication(&mut self, operand: NodeId) -> Result<Step, Diagnostic> {
        let operand = self.reduce(operand, 0, false)?;
        match self.stack.last() {
            Some(Pending::Open(Bracket::Pattern(None, items), span)) if items.is_empty() => {
                let span = *span;
                self.stack.pop();
                self.tokens.advance();
                let bracket = Bracket::PatternCount(operand, Vec::new());
                self.stack.push(Pending::Open(bracket, span));
                Ok(Step::Operator)
            }
            Some(Pending::Open(Bracket::Stream(to_left, None, None), span)) => {
                let (to_left, span) = (*to_left, *span);
                self.stack.pop();
                self.tokens.advance();
                let bracket = Bracket::Stream(to_left, Some(operand), Some(Vec::new()));
                self.stack.push(Pending::Open(bracket, span));
                Ok(Step::Operator)
            }
            Some(Pending::Open(Bracket::Concat(items), span)) if items.is_empty() => {
                let span = *span;
                self.stack.pop();
                self.tokens.advance();
                let bracket = Bracket::Replicate(operand, Vec::new());
                self.stack.push(Pending::Open(bracket, span));
                Ok(Step::Operator)
            }
            _ => self.finish(operand),
        }
    }

    pub(super) fn close(&mut self, operand: NodeId) -> Result<Step, Diagnostic> {
        let token = self.token();
        let operand = self.reduce(operand, 0, false)?;
        let matches = match self.stack.last() {
            Some(Pending::Open(bracket, _)) => token.is_symbol(bracket.closing()),
            _ => false,
        };
        if !matches {
            return self.finish(operand);
        }
        let Some(Pending::Open(bracket, start)) = self.stack.pop() else {
            return self.finish(operand);
        };
        let span = start.to(token.span);
        self.tokens.advance();
        let node = match bracket {
            Bracket::Inside(value, mut items) => {
                items.insert(0, value);
                items.push(operand);
                let span = self.span(value).to(span);
                self.add(NodeKind::Call(INSIDE.to_string(), items), span)
            }
            Bracket::ValueRange(left) => {
                let Some(left) = left else {
                    return Err(self.misplaced(token));
                };
                let kind = NodeKind::Call(VALUE_RANGE.to_string(), vec![left, operand]);
                self.add(kind, span)
            }
            Bracket::Pattern(key, mut items) => {
                let operand = match key {
                    Some(key) => {
                        let span = self.span(key).to(self.span(operand));
                        let kind = NodeKind::Call(PATTERN_KEY.to_string(), vec![key, operand]);
                        self.add(kind, span)
                    }
                    None => operand,
                };
                items.push(operand);
                let pattern = self.add(NodeKind::Call(PATTERN.to_string(), items), span);
                self.typed(pattern)
            }
            Bracket::PatternCount(count, mut items) => {
                items.push(operand);
                let outer = self.second_brace(start)?;
                let whole = span.to(outer);
                let kind = NodeKind::Replicate(count, items);
                let repeated = self.add(kind, whole);
                let kind = NodeKind::Call(PATTERN.to_string(), vec![repeated]);
                let pattern = self.add(kind, whole);
                self.typed(pattern)
            }
            Bracket::Stream(to_left, size, items) => {
                let Some(mut items) = items else {
                    return Err(self.misplaced(token));
                };
                items.push(operand);
                let outer = self.second_brace(start)?;
                let name = if to_left { STREAM_LEFT } else { STREAM_RIGHT };
                let joined = self.add(NodeKind::Concat(items), span);
                let arguments = match size {
                    Some(size) => vec![joined, size],
                    None => vec![joined],
                };
                self.add(NodeKind::Call(name.to_string(), arguments), span.to(outer))
            }
            Bracket::Group => {
                self.tree.group(operand, span);
                operand
            }
            Bracket::Call(name, mut items) => {
                items.push(operand);
                self.call(name, items, span)
            }
            Bracket::Cast(target) => {
                let span = self.span(target).to(span);
                self.add(
                    NodeKind::Call(CAST.to_string(), vec![target, operand]),
                    span,
                )
            }
            Bracket::Concat(mut items) => {
                items.push(operand);
                self.add(NodeKind::Concat(items), span)
            }
            Bracket::Replicate(count, mut items) => {
                items.push(operand);
                let outer = self.token();
                if !outer.is_symbol("}") {
                    return Err(Diagnostic::error(
                        codes::UNCLOSED_BRACKET,
                        "a replication needs a second `}`",
                    )
                    .at(outer.span, "expected `}` here")
                    .at(start, "the replication starts here")
                    .help("replications look like `{4{a}}`"));
                }
                self.tokens.advance();
                self.add(NodeKind::Replicate(count, items), span.to(outer.span))
            }
            Bracket::Select(base, first) => {
                let span = self.span(base).to(token.span);
                let kind = match first {
                    None => NodeKind::Index(base, operand),
                    Some((Separator::Range, left)) => NodeKind::Range(base, left, operand),
                    Some((separator, start)) => NodeKind::IndexedRange {
                        base,
                        start,
                        width: operand,
                        down: separator == Separator::Down,
                    },
                };
                self.add(kind, span)
            }
        };
        Ok(Step::Operand(node))
    }

    /// A pattern with the type before it, if there is one: `type'{...}` is a cast.
    fn typed(&mut self, pattern: NodeId) -> NodeId {
        let Some(Pending::Typed(target)) = self.stack.last() else {
            return pattern;
        };
        let target = *target;
        self.stack.pop();
        let span = self.span(target).to(self.span(pattern));
        self.add(
            NodeKind::Call(CAST.to_string(), vec![target, pattern]),
            span,
        )
    }

    /// The brace that closes the outer one of `{4{a}}` and its kin.
    pub(super) fn second_brace(&mut self, start: Span) -> Result<Span, Diagnostic> {
        let outer = self.token();
        if !outer.is_symbol("}") {
            return Err(
                Diagnostic::error(codes::UNCLOSED_BRACKET, "a second `}` is missing here")
                    .at(outer.span, "expected `}` here")
                    .at(start, "this starts here"),
            );
        }
        self.tokens.advance();
        Ok(outer.span)
    }

    /// A call; `$net(12)` is how a literal of the netlist is written.
    pub(super) fn call(&mut self, name: String, items: Vec<NodeId>, span: Span) -> NodeId {
        if let ("$net", [item]) = (name.as_str(), items.as_slice())
            && let NodeKind::Number(number) = &self.tree.node(*item).kind
            && let Some(net) = number.value().and_then(|value| u32::try_from(value).ok())
        {
            return self.add(NodeKind::Net(net), span);
        }
        self.add(NodeKind::Call(name, items), span)
    }
}
