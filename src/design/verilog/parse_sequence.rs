//! Sequences and properties as trees (IEEE 1800-2017, 16.7 to 16.12).
//!
//! By recursive descent along the table of precedences (16-3). What starts with a
//! parenthesis is a condition if it can be read as one, and a property in parentheses
//! otherwise.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{Expr, ExprKind, Number, Repetition, Sva, SvaKind, SvaRange};
use crate::source::{Diagnostic, Span};

pub(super) type Tree = Sva<Expr>;

/// Operators that take all that follows.
const WIDE_PREFIXES: [&str; 10] = [
    "always",
    "s_always",
    "eventually",
    "s_eventually",
    "if",
    "case",
    "accept_on",
    "reject_on",
    "sync_accept_on",
    "sync_reject_on",
];

impl Parser<'_, '_> {
    pub(super) fn property_expression(&mut self) -> Parsed<Tree> {
        self.nested(Parser::implication)
    }

    pub(super) fn tree(&self, start: Span, kind: SvaKind<Expr>) -> Tree {
        Sva {
            kind,
            span: Some(start.to(self.last_span())),
        }
    }

    /// Operators such as `always`, which take all that follows; or what `narrow` reads.
    fn operand(&mut self, narrow: fn(&mut Self) -> Parsed<Tree>) -> Parsed<Tree> {
        if !self.at_any(&WIDE_PREFIXES) {
            return narrow(self);
        }
        let start = self.token().span;
        let word = self.token().text;
        self.tokens.advance();
        let kind = match word {
            // There is one clock, so what is sampled with it is all that happens.
            "accept_on" | "reject_on" | "sync_accept_on" | "sync_reject_on" => SvaKind::Abort {
                accepts: word.ends_with("accept_on"),
                condition: self.condition()?,
                property: Box::new(self.property_expression()?),
            },
            "if" => {
                let condition = self.condition()?;
                let then = Box::new(self.property_expression()?);
                let otherwise = if self.take("else") {
                    Some(Box::new(self.property_expression()?))
                } else {
                    None
                };
                SvaKind::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            "case" => return self.property_case(start),
            _ => {
                let range = if self.at_symbol("[") {
                    self.tokens.advance();
                    let range = self.range()?;
                    self.expect("]")?;
                    Some(range)
                } else {
                    None
                };
                let is_bounded = range.as_ref().is_some_and(|range| range.high.is_some());
                if matches!(word, "eventually" | "s_always") && !is_bounded {
                    let help = match word {
                        "eventually" => "write `s_eventually`",
                        _ => "write `always`",
                    };
                    return Err(Diagnostic::error(
                        codes::SYNTAX,
                        format!("`{word}` needs a range that ends"),
                    )
                    .at(start, "as in `[1:3]`")
                    .help(help));
                }
                let operand = Box::new(self.property_expression()?);
                match word {
                    "always" | "s_always" => SvaKind::Always(range, operand),
                    _ => SvaKind::Eventually(range, operand),
                }
            }
        };
        Ok(self.tree(start, kind))
    }

    fn implication(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        let left = self.operand(Parser::until_level)?;
        let symbol = match self.token().kind {
            TokenKind::Symbol(symbol @ ("|->" | "|=>" | "#-#" | "#=#")) => symbol,
            _ => return Ok(left),
        };
        self.tokens.advance();
        let antecedent = Box::new(left);
        let consequent = Box::new(self.property_expression()?);
        let overlapping = matches!(symbol, "|->" | "#-#");
        let kind = match symbol {
            "|->" | "|=>" => SvaKind::Implication {
                antecedent,
                overlapping,
                consequent,
            },
            _ => SvaKind::FollowedBy {
                antecedent,
                overlapping,
                consequent,
            },
        };
        Ok(self.tree(start, kind))
    }

    fn until_level(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        let left = self.operand(Parser::iff_level)?;
        let words = ["until", "s_until", "until_with", "s_until_with", "implies"];
        if !self.at_any(&words) {
            return Ok(left);
        }
        let word = self.token().text;
        self.tokens.advance();
        let left = Box::new(left);
        let right = Box::new(self.nested(|parser| parser.operand(Parser::until_level))?);
        let kind = match word {
            "implies" => SvaKind::Implies(left, right),
            _ => SvaKind::Until {
                left,
                right,
                strong: word.starts_with("s_"),
                inclusive: word.ends_with("_with"),
            },
        };
        Ok(self.tree(start, kind))
    }

    fn iff_level(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        let left = self.operand(Parser::or_level)?;
        if !self.take("iff") {
            return Ok(left);
        }
        let right = self.nested(|parser| parser.operand(Parser::iff_level))?;
        let kind = SvaKind::Iff(Box::new(left), Box::new(right));
        Ok(self.tree(start, kind))
    }

    /// Operands between words of one precedence that group to the left.
    fn joined(
        &mut self,
        word: &str,
        narrow: fn(&mut Self) -> Parsed<Tree>,
        join: fn(Box<Tree>, Box<Tree>) -> SvaKind<Expr>,
    ) -> Parsed<Tree> {
        let start = self.token().span;
        let mut left = self.operand(narrow)?;
        while self.take(word) {
            let right = self.operand(narrow)?;
            left = self.tree(start, join(Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn or_level(&mut self) -> Parsed<Tree> {
        self.joined("or", Parser::and_level, SvaKind::Or)
    }

    fn and_level(&mut self) -> Parsed<Tree> {
        self.joined("and", Parser::not_level, SvaKind::And)
    }

    fn not_level(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        if self.take("not") {
            let operand = self.nested(|parser| parser.operand(Parser::not_level))?;
            return Ok(self.tree(start, SvaKind::Not(Box::new(operand))));
        }
        if !self.at_any(&["nexttime", "s_nexttime"]) {
            return self.intersect_level();
        }
        self.tokens.advance();
        let mut steps = number(1);
        if self.take_symbol("[") {
            steps = self.expression()?;
            self.expect("]")?;
        }
        let operand = self.nested(|parser| parser.operand(Parser::not_level))?;
        Ok(self.tree(start, SvaKind::Nexttime(steps, Box::new(operand))))
    }

    fn intersect_level(&mut self) -> Parsed<Tree> {
        self.joined("intersect", Parser::within_level, SvaKind::Intersect)
    }

    fn within_level(&mut self) -> Parsed<Tree> {
        self.joined("within", Parser::throughout_level, SvaKind::Within)
    }

    fn throughout_level(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        let left = self.delay_level()?;
        if !self.take("throughout") {
            return Ok(left);
        }
        let right = self.nested(Parser::throughout_level)?;
        let kind = SvaKind::Throughout(Box::new(left), Box::new(right));
        Ok(self.tree(start, kind))
    }

    fn delay_level(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        let mut left = if self.at_symbol("##") {
            None
        } else {
            Some(self.repeated()?)
        };
        while self.take_symbol("##") {
            let range = self.delay_range()?;
            let right = Box::new(self.repeated()?);
            let kind = SvaKind::Delay(left.map(Box::new), range, right);
            left = Some(self.tree(start, kind));
        }
        left.ok_or_else(|| self.unexpected("a sequence"))
    }

    /// Behind `##`: `2`, `N`, `(N + 1)`, `[1:3]`, `[*]`, `[+]`.
    fn delay_range(&mut self) -> Parsed<SvaRange<Expr>> {
        if self.take_symbol("[") {
            if self.take_symbol("*") {
                self.expect("]")?;
                return Ok(unbounded(0));
            }
            if self.take_symbol("+") {
                self.expect("]")?;
                return Ok(unbounded(1));
            }
            let range = self.range()?;
            self.expect("]")?;
            return Ok(range);
        }
        let token = self.token();
        let low = match &token.kind {
            TokenKind::Number(number) => {
                self.tokens.advance();
                Expr {
                    kind: ExprKind::Number(number.clone()),
                    span: Some(token.span),
                }
            }
            TokenKind::Symbol("(") => self.condition()?,
            _ => {
                let first = self.identifier("a number of steps")?;
                let mut path = vec![first.text];
                while self.take_symbol("::") {
                    path.push(self.identifier("a name of a package")?.text);
                }
                Expr {
                    span: Some(first.span.to(self.last_span())),
                    kind: ExprKind::Name(path),
                }
            }
        };
        Ok(SvaRange {
            high: Some(low.clone()),
            low,
        })
    }

    /// `2`, `1:3` or `1:$`
    pub(super) fn range(&mut self) -> Parsed<SvaRange<Expr>> {
        let low = self.expression()?;
        if !self.take_symbol(":") {
            return Ok(SvaRange {
                high: Some(low.clone()),
                low,
            });
        }
        let high = if self.take_symbol("$") {
            None
        } else {
            Some(self.expression()?)
        };
        Ok(SvaRange { low, high })
    }

    fn repeated(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        let mut operand = self.primary()?;
        while self.at_symbol("[") {
            let repetition = match self.token_at(1).kind {
                TokenKind::Symbol("*") => Repetition::Consecutive,
                TokenKind::Symbol("=") => Repetition::Nonconsecutive,
                TokenKind::Symbol("->") => Repetition::Goto,
                TokenKind::Symbol("+") => Repetition::Consecutive,
                _ => return Err(self.unexpected("an operator of a sequence")),
            };
            let is_plus = self.token_at(1).is_symbol("+");
            self.tokens.advance();
            self.tokens.advance();
            let range = if self.at_symbol("]") && repetition == Repetition::Consecutive {
                unbounded(is_plus as u64)
            } else {
                self.range()?
            };
            self.expect("]")?;
            let kind = SvaKind::Repeat(Box::new(operand), repetition, range);
            operand = self.tree(start, kind);
        }
        Ok(operand)
    }

    /// A clock inside of a property: the one that it has, or has no other before.
    fn inner_clock(&mut self) -> Parsed<()> {
        let follows = std::mem::take(&mut self.clock_follows);
        let start = self.token().span;
        let clock = self.clocking_event()?;
        let span = start.to(self.last_span());
        let same = |known: &Edge| {
            known.rising == clock.rising && known.signal.to_string() == clock.signal.to_string()
        };
        match &self.clock {
            Some(known) if same(known) => Ok(()),
            None if follows => {
                self.clock = Some(clock);
                Ok(())
            }
            known => {
                let message = "a property over several clocks is not supported";
                let error = Diagnostic::error(codes::CLOCKING, message).at(span, "a second one");
                let error = match known {
                    Some(first) => error.at(first.span, "the clock of the property"),
                    None => error.note("the clock of what stands before it is the default one"),
                };
                Err(error.help(
                    "assert something about each clock, and let registers of the design remember \
                     what happened at the other one",
                ))
            }
        }
    }

    pub(super) fn primary(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        if self.at_symbol("@") {
            self.inner_clock()?;
            return self.primary();
        }
        for word in ["strong", "weak", "first_match"] {
            if self.take(word) {
                self.expect("(")?;
                let operand = Box::new(self.property_expression()?);
                self.expect(")")?;
                let kind = match word {
                    "strong" => SvaKind::Strong(operand),
                    "weak" => SvaKind::Weak(operand),
                    _ => SvaKind::FirstMatch(operand),
                };
                return Ok(self.tree(start, kind));
            }
        }
        let before = self.tokens.position();
        let problem = match self.expression() {
            Ok(condition) => return Ok(Sva::condition(condition)),
            Err(problem) => problem,
        };
        self.tokens.go_to(before);
        if self.is_identifier(0) && self.token_at(1).is_symbol("(") {
            let found = self.given_sequences();
            return found.ok().flatten().ok_or(problem);
        }
        if !self.take_symbol("(") {
            return Err(problem);
        }
        let inner = self.property_expression()?;
        let mut inner = self.captures(inner)?;
        self.expect(")")?;
        inner.span = Some(start.to(self.last_span()));
        Ok(inner)
    }
}

impl Parser<'_, '_> {
    /// `name(a ##1 b, c)`: a property or sequence with arguments that are no expressions. `None`
    /// if all of them are.
    fn given_sequences(&mut self) -> Parsed<Option<Tree>> {
        let start = self.token().span;
        let name = self.identifier("a name")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        let mut is_expression = true;
        loop {
            let (position, from) = (self.tokens.position(), self.token().span);
            let tree = self.property_expression()?;
            arguments.push(match tree.kind {
                SvaKind::Condition(expr) => expr,
                kind => {
                    is_expression = false;
                    let span = from.to(self.last_span());
                    let body = self.tree(from, kind);
                    let given = PropertyDeclaration::argument(body, span, position);
                    let name = given.name.text.clone();
                    self.given.push(given);
                    Expr {
                        kind: ExprKind::Name(vec![name]),
                        span: Some(span),
                    }
                }
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        let call = Expr {
            kind: ExprKind::Call(name.text, arguments),
            span: Some(start.to(self.last_span())),
        };
        Ok((!is_expression).then(|| Sva::condition(call)))
    }
}

pub(super) fn number(value: u64) -> Expr {
    Expr {
        kind: ExprKind::Number(Number::decimal(value)),
        span: None,
    }
}

fn unbounded(low: u64) -> SvaRange<Expr> {
    SvaRange {
        low: number(low),
        high: None,
    }
}
