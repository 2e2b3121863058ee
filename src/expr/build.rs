//! Turns a parse tree into an [`Expr`], one node at a time.

use super::operator::{Infix, Prefix};
use super::token::Token;
use super::tree::{NodeId, NodeKind, Tree};
use super::{BinaryOp, Dialect, Expr, ExprKind, Number, UnaryOp};
use super::{codes, mistake, parser, token};
use crate::source::{Cursor, Diagnostic, FileId, Span};

/// Levels of an expression. Expressions are trees of boxes, and whatever walks, copies or
/// drops one does so recursively; this many levels fit in the stack of a thread.
pub const MAX_DEPTH: u32 = 1000;

/// An expression with what has to be known before it becomes part of a larger one.
#[derive(Clone, Debug)]
pub struct Built {
    pub expr: Expr,
    pub depth: u32,
    /// How many nodes it has.
    pub size: u32,
}

/// Reads a text that is one Verilog expression.
pub fn parse_expression(file: FileId, text: &str) -> Result<Expr, Diagnostic> {
    let tokens = token::tokenize(file, text, Dialect::Verilog);
    let mut tokens = Cursor::new(&tokens);
    let mut tree = Tree::new();
    let root = parser::parse(&mut tokens, &mut tree, Dialect::Verilog)?;
    let after = tokens.peek();
    if after.kind != token::TokenKind::End {
        return Err(mistake::unexpected(after, Dialect::Verilog));
    }
    build_tree(&tree, root)?.ok_or_else(|| mistake::unexpected(after, Dialect::Verilog))
}

/// Reads an expression out of the tokens of a Verilog file; the cursor is left at the token
/// after it.
pub fn parse_in_source(tokens: &mut Cursor<'_, Token<'_>>) -> Result<Expr, Diagnostic> {
    let mut tree = Tree::new();
    let root = parser::parse(tokens, &mut tree, Dialect::Source)?;
    build_tree(&tree, root)?.ok_or_else(|| mistake::unexpected(tokens.peek(), Dialect::Source))
}

/// The expression at the root of a tree without temporal operators.
fn build_tree(tree: &Tree, root: NodeId) -> Result<Option<Expr>, Diagnostic> {
    let mut built: Vec<Option<Built>> = Vec::new();
    for id in tree.between(0, root) {
        let node = tree.node(id);
        let expr = build_node(&node.kind, node.span, |child| {
            built[tree.offset(0, child)]
                .take()
                .ok_or_else(|| temporal_inside(node.span, node.span))
        })?;
        built.push(Some(expr));
    }
    Ok(built.pop().flatten().map(|built| built.expr))
}

/// Builds one node out of its children, which `child` hands over.
pub fn build_node(
    kind: &NodeKind,
    span: Span,
    mut child: impl FnMut(NodeId) -> Result<Built, Diagnostic>,
) -> Result<Built, Diagnostic> {
    let mut depth = 0;
    let mut size: u32 = 1;
    let mut operand = |id: NodeId| -> Result<Expr, Diagnostic> {
        let built = child(id)?;
        depth = depth.max(built.depth);
        size = size.saturating_add(built.size);
        Ok(built.expr)
    };
    let expr_kind = match kind {
        NodeKind::Number(number) => ExprKind::Number(number.clone()),
        NodeKind::Constant(value) => ExprKind::Number(Number::bit(*value)),
        NodeKind::Name(path) => ExprKind::Name(path.clone()),
        NodeKind::Net(net) => ExprKind::Net(*net),
        NodeKind::AllOnes => ExprKind::AllOnes,
        NodeKind::Index(base, index) => {
            ExprKind::Index(Box::new(operand(*base)?), Box::new(operand(*index)?))
        }
        NodeKind::Range(base, left, right) => ExprKind::Range(
            Box::new(operand(*base)?),
            Box::new(operand(*left)?),
            Box::new(operand(*right)?),
        ),
        NodeKind::IndexedRange {
            base,
            start,
            width,
            down,
        } => ExprKind::IndexedRange {
            base: Box::new(operand(*base)?),
            start: Box::new(operand(*start)?),
            width: Box::new(operand(*width)?),
            down: *down,
        },
        NodeKind::Member(scope, name) => ExprKind::Member(Box::new(operand(*scope)?), name.clone()),
        NodeKind::Prefix(Prefix::Verilog(operator), inner) => {
            ExprKind::Unary(*operator, Box::new(operand(*inner)?))
        }
        NodeKind::Prefix(Prefix::Not, inner) => {
            ExprKind::Unary(UnaryOp::LogicalNot, Box::new(operand(*inner)?))
        }
        NodeKind::Infix(Infix::Verilog(operator), left, right) => ExprKind::Binary(
            *operator,
            Box::new(operand(*left)?),
            Box::new(operand(*right)?),
        ),
        NodeKind::Infix(Infix::LogicalImplies, left, right) => {
            let left = negated(operand(*left)?);
            ExprKind::Binary(
                BinaryOp::LogicalOr,
                Box::new(left),
                Box::new(operand(*right)?),
            )
        }
        NodeKind::Infix(Infix::LogicalIff, left, right) => {
            let (left, right) = (negated(operand(*left)?), negated(operand(*right)?));
            ExprKind::Binary(BinaryOp::Equal, Box::new(left), Box::new(right))
        }
        NodeKind::Infix(Infix::Negated(operator), left, right) => {
            let joined = ExprKind::Binary(
                *operator,
                Box::new(operand(*left)?),
                Box::new(operand(*right)?),
            );
            // The operator is one word of the text, so its parts have no span to be edited.
            let joined = Expr {
                kind: joined,
                span: None,
            };
            ExprKind::Unary(UnaryOp::BitNot, Box::new(joined))
        }
        NodeKind::Infix(infix @ Infix::Wildcard(_), left, right) => ExprKind::Call(
            infix.symbol().to_string(),
            vec![operand(*left)?, operand(*right)?],
        ),
        NodeKind::Prefix(Prefix::Temporal(_), _)
        | NodeKind::Infix(Infix::Temporal(_) | Infix::Implies | Infix::Iff, ..) => {
            return Err(temporal_inside(span, span));
        }
        NodeKind::Conditional(condition, then, otherwise) => ExprKind::Conditional(
            Box::new(operand(*condition)?),
            Box::new(operand(*then)?),
            Box::new(operand(*otherwise)?),
        ),
        NodeKind::Concat(items) => ExprKind::Concat(
            items
                .iter()
                .map(|item| operand(*item))
                .collect::<Result<_, _>>()?,
        ),
        NodeKind::Replicate(count, items) => ExprKind::Replicate(
            Box::new(operand(*count)?),
            items
                .iter()
                .map(|item| operand(*item))
                .collect::<Result<_, _>>()?,
        ),
        NodeKind::Call(name, items) => ExprKind::Call(
            name.clone(),
            items
                .iter()
                .map(|item| operand(*item))
                .collect::<Result<_, _>>()?,
        ),
    };
    if depth >= MAX_DEPTH {
        return Err(too_deep(span));
    }
    Ok(Built {
        expr: Expr {
            kind: expr_kind,
            span: Some(span),
        },
        depth: depth + 1,
        size,
    })
}

fn negated(expr: Expr) -> Expr {
    Expr {
        kind: ExprKind::Unary(UnaryOp::LogicalNot, Box::new(expr)),
        span: None,
    }
}

/// The expression at this span has too many levels.
pub fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NESTED_TOO_DEEPLY,
        format!("this expression has more than {MAX_DEPTH} levels"),
    )
    .at(span, "too many operators or parentheses inside each other")
    .help("split it with definitions, or join conditions with `&&` and `||`")
}

/// A temporal operator at the first span stands inside the expression at the second.
pub fn temporal_inside(operator: Span, expression: Span) -> Diagnostic {
    Diagnostic::error(
        codes::TEMPORAL_IN_EXPRESSION,
        "a temporal formula cannot be part of an expression",
    )
    .at(operator, "this is a formula, not a value")
    .at(expression, "inside this expression")
    .help("apply the temporal operator to the whole comparison, as in `X (a == b)`; `$past(a)` is the value of `a` one step ago")
}
