//! From the parse tree of a formula to the formula: where atoms end and connectives begin.
//!
//! A subtree without temporal operators, `->` or `<->` is an expression. Under arithmetic,
//! comparisons, selects and the like it stays one, with Verilog's meaning. Where a formula
//! is wanted, [`atoms::condition`] takes it apart at `!`, `&&`, `||`, `|`, and at `&` where
//! both sides are visibly one bit wide. So
//!
//! ```text
//! a & b == c              one atom, which Verilog reads as `a & (b == c)`
//! (a & mask) == c         one atom; `&` is bitwise
//! x & y                   one atom: some bit is set in both
//! x && y                  two atoms: both are nonzero
//! state == WAIT & G p     `&` joins the atom `state == WAIT` and the formula `G p`
//! ```
//!
//! A chain of `&` of which some operand is temporal is a conjunction of conditions, each on
//! its own: in `x & y & X z`, `x` and `y` are two conditions, wherever the temporal operand
//! stands. Parentheses make `(x & y) & X z` a bitwise and again.

use super::atoms;
use super::codes;
use super::formula::{FormulaId, Formulas};
use crate::expr::build::{Built, MAX_DEPTH, build_node, temporal_inside, too_deep};
use crate::expr::operator::{Infix, Prefix};
use crate::expr::tree::{Node, NodeId, NodeKind, Tree};
use crate::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::source::{Diagnostic, Severity, Span};

/// Nodes of an expression after definitions are expanded. Formulas share what is equal and
/// need no such limit.
const MAX_EXPANSION: u32 = 20_000;

/// What a part of a formula's text stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A Verilog expression: so far nothing temporal was seen in it.
    Expression(Built),
    Formula(FormulaId, Cause),
    /// A conjunction or disjunction that may still grow.
    List {
        is_and: bool,
        operands: Vec<FormulaId>,
        cause: Cause,
    },
}

/// Why something cannot be a value.
#[derive(Clone, Copy, Debug)]
pub enum Cause {
    /// The operator at this span is temporal.
    Temporal(Span),
    /// The operator at this span is `->` or `<->`, which Verilog expressions do not have.
    Implication(Span),
    /// The chain of connectives at this span is too long for an expression.
    TooLong(Span),
}

/// What a definition stands for; `None` for a name that is not defined.
pub type Definitions<'a> = dyn Fn(&str) -> Option<Meaning> + 'a;

/// The meaning of the tree under `root`, whose nodes start at index `first`.
pub fn meaning(
    formulas: &mut Formulas,
    tree: &Tree,
    first: usize,
    root: NodeId,
    definitions: &Definitions<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Meaning, Diagnostic> {
    let mut reader = Reader {
        formulas,
        tree,
        first,
        definitions,
        warnings,
        found: Vec::new(),
    };
    for id in tree.between(first, root) {
        let meaning = reader.node(tree.node(id))?;
        reader.found.push(Some(meaning));
    }
    reader.take(root)
}

impl Meaning {
    /// What a definition stands for where it is used: messages point there.
    fn used_at(self, span: Span) -> Meaning {
        let moved = |cause| match cause {
            Cause::Temporal(_) => Cause::Temporal(span),
            Cause::Implication(_) => Cause::Implication(span),
            Cause::TooLong(_) => Cause::TooLong(span),
        };
        match self {
            Meaning::Expression(built) => Meaning::Expression(built),
            Meaning::Formula(id, cause) => Meaning::Formula(id, moved(cause)),
            Meaning::List {
                is_and,
                operands,
                cause,
            } => Meaning::List {
                is_and,
                operands,
                cause: moved(cause),
            },
        }
    }

    /// The formula that this is where a condition is wanted.
    pub fn into_formula(self, formulas: &mut Formulas) -> FormulaId {
        match self {
            Meaning::Expression(built) => atoms::condition(formulas, &built.expr),
            Meaning::Formula(id, _) => id,
            Meaning::List {
                is_and, operands, ..
            } => {
                if is_and {
                    formulas.written_and(operands)
                } else {
                    formulas.or(operands)
                }
            }
        }
    }
}

struct Reader<'a> {
    formulas: &'a mut Formulas,
    tree: &'a Tree,
    first: usize,
    definitions: &'a Definitions<'a>,
    warnings: &'a mut Vec<Diagnostic>,
    found: Vec<Option<Meaning>>,
}

impl Reader<'_> {
    fn node(&mut self, node: &Node) -> Result<Meaning, Diagnostic> {
        self.warn_negated_comparison(node);
        let span = node.span;
        match &node.kind {
            NodeKind::Name(path) => {
                if let [name] = path.as_slice()
                    && let Some(meaning) = (self.definitions)(name)
                {
                    return Ok(meaning.used_at(span));
                }
                self.expression(node)
            }
            NodeKind::Call(name, _) if (self.definitions)(name).is_some() => {
                Err(misused(span, "a definition has no arguments"))
            }
            NodeKind::Prefix(Prefix::Temporal(operator), operand) => {
                let operand = self.formula(*operand)?;
                let formula = self.formulas.unary(*operator, operand);
                Ok(Meaning::Formula(formula, Cause::Temporal(span)))
            }
            NodeKind::Infix(Infix::Temporal(operator), left, right) => {
                let left = self.formula(*left)?;
                let right = self.formula(*right)?;
                let formula = self.formulas.binary(*operator, left, right);
                Ok(Meaning::Formula(formula, Cause::Temporal(span)))
            }
            NodeKind::Infix(Infix::Implies, left, right) => {
                let left = self.formula(*left)?;
                let right = self.formula(*right)?;
                let formula = self.formulas.written_implication(left, right);
                Ok(Meaning::Formula(formula, Cause::Implication(span)))
            }
            NodeKind::Infix(Infix::Iff, left, right) => {
                let left = self.formula(*left)?;
                let right = self.formula(*right)?;
                let formula = self.formulas.iff(left, right);
                Ok(Meaning::Formula(formula, Cause::Implication(span)))
            }
            NodeKind::Prefix(Prefix::Not | Prefix::Verilog(UnaryOp::LogicalNot), operand) => {
                let operand = *operand;
                let Some(cause) = self.connective_cause(&[operand], span) else {
                    return self.expression(node);
                };
                let operand = self.formula(operand)?;
                Ok(Meaning::Formula(self.formulas.not(operand), cause))
            }
            NodeKind::Infix(Infix::Verilog(operator), left, right) => {
                self.verilog_infix(node, *operator, *left, *right)
            }
            NodeKind::Conditional(condition, then, otherwise) => {
                let operands = [*condition, *then, *otherwise];
                let Some(cause) = self.connective_cause(&operands, span) else {
                    return self.expression(node);
                };
                let [condition, then, otherwise] = operands;
                let condition = self.formula(condition)?;
                let then = self.formula(then)?;
                let otherwise = self.formula(otherwise)?;
                let formula = self.formulas.if_then_else(condition, then, otherwise);
                Ok(Meaning::Formula(formula, cause))
            }
            NodeKind::Index(base, _)
            | NodeKind::Range(base, ..)
            | NodeKind::IndexedRange { base, .. } => {
                self.refuse_select(*base, span)?;
                self.expression(node)
            }
            _ => self.expression(node),
        }
    }

    fn verilog_infix(
        &mut self,
        node: &Node,
        operator: BinaryOp,
        left: NodeId,
        right: NodeId,
    ) -> Result<Meaning, Diagnostic> {
        let connects = matches!(
            operator,
            BinaryOp::LogicalAnd
                | BinaryOp::LogicalOr
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::BitXnor
        );
        if !connects {
            return self.expression(node);
        }
        let Some(cause) = self.connective_cause(&[left, right], node.span) else {
            return self.expression(node);
        };
        // A chain that is merely long means what it would mean if it were shorter.
        let stays_bitwise = match operator {
            BinaryOp::BitAnd => !self.is_one_bit(left) || !self.is_one_bit(right),
            BinaryOp::BitXor | BinaryOp::BitXnor => true,
            _ => false,
        };
        if stays_bitwise && matches!(cause, Cause::TooLong(_)) {
            return self.expression(node);
        }
        match operator {
            BinaryOp::BitAnd => {
                let mut operands = self.conjuncts(left)?;
                operands.extend(self.conjuncts(right)?);
                Ok(self.list(true, operands, cause))
            }
            BinaryOp::LogicalAnd => self.grow(true, left, right, cause),
            BinaryOp::LogicalOr | BinaryOp::BitOr => self.grow(false, left, right, cause),
            _ => {
                let left = self.formula(left)?;
                let right = self.formula(right)?;
                let same = self.formulas.iff(left, right);
                let formula = if operator == BinaryOp::BitXor {
                    self.formulas.not(same)
                } else {
                    same
                };
                Ok(Meaning::Formula(formula, cause))
            }
        }
    }

    /// Adds the right operand to the list on the left. Chains are read left to right, and
    /// copying the list at each step would cost the square of its length.
    fn grow(
        &mut self,
        is_and: bool,
        left: NodeId,
        right: NodeId,
        cause: Cause,
    ) -> Result<Meaning, Diagnostic> {
        let mut operands = match self.take(left)? {
            Meaning::List {
                is_and: kind,
                operands,
                ..
            } if kind == is_and => operands,
            other => vec![other.into_formula(self.formulas)],
        };
        operands.push(self.formula(right)?);
        Ok(self.list(is_and, operands, cause))
    }

    fn list(&self, is_and: bool, operands: Vec<FormulaId>, cause: Cause) -> Meaning {
        Meaning::List {
            is_and,
            operands,
            cause,
        }
    }

    /// The operands of an unparenthesised chain of `&` that turned out to be a conjunction.
    fn conjuncts(&mut self, id: NodeId) -> Result<Vec<FormulaId>, Diagnostic> {
        let node = self.tree.node(id);
        let chains = !node.grouped
            && matches!(
                node.kind,
                NodeKind::Infix(Infix::Verilog(BinaryOp::BitAnd), ..)
            );
        match self.take(id)? {
            Meaning::List {
                is_and: true,
                operands,
                ..
            } if chains => Ok(operands),
            Meaning::Expression(built) => {
                let mut links: Vec<&Expr> = Vec::new();
                let mut expr: &Expr = &built.expr;
                for _ in 0..self.chain_length(id) {
                    let ExprKind::Binary(BinaryOp::BitAnd, left, right) = &expr.kind else {
                        break;
                    };
                    links.push(right);
                    expr = left;
                }
                links.push(expr);
                let conditions = links.into_iter().rev();
                Ok(conditions
                    .map(|condition| atoms::condition(self.formulas, condition))
                    .collect())
            }
            other => Ok(vec![other.into_formula(self.formulas)]),
        }
    }

    /// How many `&` follow each other here without parentheses.
    fn chain_length(&self, id: NodeId) -> usize {
        let mut length = 0;
        let mut node = self.tree.node(id);
        while let NodeKind::Infix(Infix::Verilog(BinaryOp::BitAnd), left, _) = node.kind {
            if node.grouped {
                break;
            }
            length += 1;
            node = self.tree.node(left);
        }
        length
    }

    /// Why a connective over these operands cannot be part of an expression, if it cannot.
    fn connective_cause(&self, operands: &[NodeId], span: Span) -> Option<Cause> {
        let mut too_long = None;
        for operand in operands {
            match self.peek(*operand) {
                Some(Meaning::Formula(_, cause) | Meaning::List { cause, .. }) => match cause {
                    Cause::TooLong(_) => too_long = Some(*cause),
                    _ => return Some(*cause),
                },
                Some(Meaning::Expression(built)) if built.depth >= MAX_DEPTH => {
                    too_long = Some(Cause::TooLong(span));
                }
                _ => {}
            }
        }
        too_long
    }

    fn is_one_bit(&self, id: NodeId) -> bool {
        match self.peek(id) {
            Some(Meaning::Expression(built)) => atoms::is_recognisably_one_bit(&built.expr),
            _ => true,
        }
    }

    fn peek(&self, id: NodeId) -> Option<&Meaning> {
        self.found
            .get(self.tree.offset(self.first, id))
            .and_then(Option::as_ref)
    }

    fn take(&mut self, id: NodeId) -> Result<Meaning, Diagnostic> {
        let offset = self.tree.offset(self.first, id);
        self.found
            .get_mut(offset)
            .and_then(Option::take)
            .ok_or_else(|| too_deep(self.tree.node(id).span))
    }

    fn formula(&mut self, id: NodeId) -> Result<FormulaId, Diagnostic> {
        let meaning = self.take(id)?;
        Ok(meaning.into_formula(self.formulas))
    }

    /// Builds an expression; what is temporal below it is an error.
    fn expression(&mut self, node: &Node) -> Result<Meaning, Diagnostic> {
        let built = build_node(&node.kind, node.span, |id| match self.take(id)? {
            Meaning::Expression(built) => Ok(built),
            Meaning::Formula(_, cause) | Meaning::List { cause, .. } => Err(match cause {
                Cause::Temporal(span) => temporal_inside(span, node.span),
                Cause::Implication(span) => temporal_inside(span, node.span)
                    .help("inside an expression, write `!a || b` for `a -> b`"),
                Cause::TooLong(span) => too_deep(span),
            }),
        })?;
        if built.size > MAX_EXPANSION {
            return Err(Diagnostic::error(
                codes::EXPANSION_TOO_BIG,
                format!("this expression has more than {MAX_EXPANSION} parts once its definitions are expanded"),
            )
            .at(node.span, "too big")
            .help("use the definitions fewer times, or compute the value in the design"));
        }
        Ok(Meaning::Expression(built))
    }

    /// Verilog cannot index an expression, so a definition can be indexed only as an alias.
    fn refuse_select(&self, base: NodeId, span: Span) -> Result<(), Diagnostic> {
        let NodeKind::Name(_) = self.tree.node(base).kind else {
            return Ok(());
        };
        match self.peek(base) {
            Some(Meaning::Expression(built)) => match built.expr.kind {
                ExprKind::Name(_) | ExprKind::Index(..) => Ok(()),
                _ => Err(misused(
                    span,
                    "only a definition that is another name for a signal can be indexed",
                )),
            },
            _ => Err(misused(span, "a formula cannot be indexed")),
        }
    }

    fn warn_negated_comparison(&mut self, node: &Node) {
        let NodeKind::Infix(Infix::Verilog(operator), left, _) = &node.kind else {
            return;
        };
        let left = self.tree.node(*left);
        let negated = matches!(
            left.kind,
            NodeKind::Prefix(Prefix::Verilog(UnaryOp::LogicalNot), _)
        );
        let compares = operator.gives_one_bit()
            && !matches!(operator, BinaryOp::LogicalAnd | BinaryOp::LogicalOr);
        if negated && compares && !left.grouped {
            let mut warning = Diagnostic::error(
                codes::NEGATED_COMPARISON,
                format!("`!` binds tighter than `{}`", operator.symbol()),
            )
            .at(left.span, "this is compared")
            .help(format!(
                "write `!(a {0} b)` to negate the comparison, `(!a) {0} b` to keep this meaning",
                operator.symbol()
            ));
            warning.severity = Severity::Warning;
            self.warnings.push(warning);
        }
    }
}

fn misused(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(codes::MISUSED_DEFINITION, message)
        .at(span, "here")
        .help("a definition can stand wherever its text in parentheses could")
}
