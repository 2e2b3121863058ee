//! Assertions, and the sequences and properties in them (IEEE 1800-2017, 16.5 to 16.16).
//!
//! By recursive descent along the table of precedences (16-3). What starts with a
//! parenthesis is a condition if it can be read as one, and a property in parentheses
//! otherwise.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{
    BinaryOp, CAPTURE, Expr, ExprKind, Number, Repetition, Role, Sva, SvaKind, SvaRange,
};
use crate::source::{Diagnostic, Span};

type Tree = Sva<Expr>;

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
    /// Whether an assertion starts here, maybe after a label.
    pub(super) fn at_assertion(&self) -> bool {
        let ahead = if self.is_identifier(0) && self.token_at(1).is_symbol(":") {
            2
        } else {
            0
        };
        ["assert", "assume", "cover", "restrict"]
            .iter()
            .any(|word| self.token_at(ahead).is_word(word))
    }

    pub(super) fn assertion(&mut self) -> Parsed<Assertion> {
        let start = self.token().span;
        let mut label = None;
        if self.is_identifier(0) {
            label = Some(self.identifier("a label")?);
            self.expect(":")?;
        }
        let word = self.token().text;
        let role = match word {
            "assert" => Role::Assert,
            "cover" => Role::Cover,
            // What is restricted is assumed, and no simulator checks it.
            _ => Role::Assume,
        };
        self.tokens.advance();
        let is_sequence = role == Role::Cover && self.at("sequence");
        if self.at("property") || is_sequence {
            self.tokens.advance();
            self.expect("(")?;
            let spec = self.property_spec()?;
            self.expect(")")?;
            let span = start.to(self.last_span());
            self.action(role)?;
            let body = AssertionBody::Concurrent(Box::new(spec));
            return Ok(Assertion {
                role,
                label,
                body,
                span,
            });
        }
        if word == "restrict" {
            return Err(self.unexpected("`property`"));
        }
        // Deferred assertions wait for values to settle, and here they always have.
        if self.take_symbol("#") {
            match &self.token().kind {
                TokenKind::Number(number) if number.value() == Some(0) => {
                    self.tokens.advance();
                }
                _ => return Err(self.unexpected("`0`")),
            }
        } else {
            self.take("final");
        }
        let condition = self.condition()?;
        let span = start.to(self.last_span());
        self.action(role)?;
        Ok(Assertion {
            role,
            label,
            body: AssertionBody::Immediate(condition),
            span,
        })
    }

    /// What a simulator does when an assertion passes or fails: messages, and nothing that a
    /// circuit would do.
    fn action(&mut self, role: Role) -> Parsed<()> {
        if self.take_symbol(";") {
            return Ok(());
        }
        if !self.at("else") {
            let statement = self.statement()?;
            self.only_messages(&statement)?;
        }
        if role != Role::Cover && self.take("else") {
            let statement = self.statement()?;
            self.only_messages(&statement)?;
        }
        Ok(())
    }

    fn only_messages(&self, statement: &Statement) -> Parsed<()> {
        match &statement.kind {
            StatementKind::SystemTask | StatementKind::Nothing => Ok(()),
            StatementKind::Block {
                statements,
                declarations,
                ..
            } if declarations.is_empty() => {
                for one in statements {
                    self.only_messages(one)?;
                }
                Ok(())
            }
            _ => Err(super::parse::unsupported(
                "an action of an assertion other than a message",
                statement.span,
            )),
        }
    }

    /// `property name(arguments); ... endproperty`, or a sequence.
    pub(super) fn property_declaration(&mut self) -> Parsed<PropertyDeclaration> {
        let start = self.token().span;
        let end = if self.at("property") {
            "endproperty"
        } else {
            "endsequence"
        };
        self.tokens.advance();
        let name = self.identifier("a name")?;
        let arguments = self.formal_arguments()?;
        self.expect(";")?;
        let variables = self.local_variables()?;
        let spec = self.property_spec()?;
        self.take_symbol(";");
        self.expect_word(end, start)?;
        self.label()?;
        Ok(PropertyDeclaration {
            name,
            arguments,
            variables,
            spec,
        })
    }

    /// `(a, logic [3:0] b, c = 1)` behind the name of a property, a sequence or a `let`; there
    /// may be none.
    fn formal_arguments(&mut self) -> Parsed<Vec<PropertyArgument>> {
        let mut arguments = Vec::new();
        if !self.take_symbol("(") || self.take_symbol(")") {
            return Ok(arguments);
        }
        let mut data_type = None;
        loop {
            if self.at_any(&["event", "local"]) {
                let what = format!("an argument with `{}`", self.token().text);
                return Err(self.unsupported(&what).help("give conditions and numbers"));
            }
            if self.take("untyped") || self.take("sequence") || self.take("property") {
                data_type = None;
            } else if let Some(written) = self.optional_type()? {
                // It is that of the names behind it, too.
                data_type = Some(written);
            }
            let name = self.identifier("the name of an argument")?;
            let default = if self.take_symbol("=") {
                Some(self.expression()?)
            } else {
                None
            };
            arguments.push(PropertyArgument {
                name,
                data_type: data_type.clone(),
                default,
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    /// `case (selector) 0, 1: p; default: q; endcase`, behind its first word: a chain of `if`.
    fn property_case(&mut self, start: Span) -> Parsed<Tree> {
        let selector = self.condition()?;
        let mut items = Vec::new();
        let mut otherwise = None;
        while !self.take("endcase") {
            let item = self.token().span;
            if self.take("default") {
                self.take_symbol(":");
                otherwise = Some(Box::new(self.property_expression()?));
            } else {
                let mut condition = self.is_equal(&selector)?;
                while self.take_symbol(",") {
                    let other = Box::new(self.is_equal(&selector)?);
                    condition = Expr {
                        kind: ExprKind::Binary(BinaryOp::LogicalOr, Box::new(condition), other),
                        span: Some(item.to(self.last_span())),
                    };
                }
                self.expect(":")?;
                items.push((condition, Box::new(self.property_expression()?)));
            }
            self.expect(";")?;
        }
        let mut chain = otherwise;
        for (condition, then) in items.into_iter().rev() {
            let kind = SvaKind::If {
                condition,
                then,
                otherwise: chain,
            };
            chain = Some(Box::new(self.tree(start, kind)));
        }
        match chain {
            Some(chain) => Ok(*chain),
            None => Err(self.unexpected("an item of the `case`")),
        }
    }

    fn is_equal(&mut self, selector: &Expr) -> Parsed<Expr> {
        let label = self.expression()?;
        let span = label.span;
        let (selector, label) = (Box::new(selector.clone()), Box::new(label));
        Ok(Expr {
            kind: ExprKind::Binary(BinaryOp::CaseEqual, selector, label),
            span,
        })
    }

    /// `logic [7:0] v, w;` inside of a property or sequence.
    fn local_variables(&mut self) -> Parsed<Vec<PropertyArgument>> {
        let mut variables = Vec::new();
        let types = [
            "logic", "bit", "reg", "int", "integer", "byte", "shortint", "longint", "var",
        ];
        while self.at_any(&types) || self.is_identifier(0) && self.is_identifier(1) {
            self.take("var");
            let data_type = Some(self.data_type()?);
            loop {
                let name = self.identifier("the name of a local variable")?;
                if self.at_symbol("=") {
                    return Err(self
                        .unsupported("the first value of a local variable")
                        .help("assign it in the sequence, as in `(a, v = x)`"));
                }
                variables.push(PropertyArgument {
                    name,
                    data_type: data_type.clone(),
                    default: None,
                });
                if !self.take_symbol(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        Ok(variables)
    }

    /// `, v = x, w = y` behind a sequence in parentheses.
    fn captures(&mut self, mut sequence: Tree) -> Parsed<Tree> {
        while self.take_symbol(",") {
            let start = self.token().span;
            let name = self.identifier("a local variable")?;
            self.expect("=")?;
            let value = self.expression()?;
            let variable = Expr {
                kind: ExprKind::Name(vec![name.text]),
                span: Some(name.span),
            };
            let capture = Expr {
                kind: ExprKind::Call(CAPTURE.to_string(), vec![variable, value]),
                span: Some(start.to(self.last_span())),
            };
            let at_once = SvaRange {
                low: number(0),
                high: Some(number(0)),
            };
            let capture = Box::new(Sva::condition(capture));
            let kind = SvaKind::Delay(Some(Box::new(sequence)), at_once, capture);
            sequence = self.tree(start, kind);
        }
        Ok(sequence)
    }

    /// `let larger(a, b) = a > b ? a : b;`
    pub(super) fn let_declaration(&mut self) -> Parsed<PropertyDeclaration> {
        self.tokens.advance();
        let name = self.identifier("a name")?;
        let arguments = self.formal_arguments()?;
        self.expect("=")?;
        let body = Sva::condition(self.expression()?);
        self.expect(";")?;
        Ok(PropertyDeclaration {
            name,
            arguments,
            variables: Vec::new(),
            spec: PropertySpec {
                clock: None,
                disable: None,
                body,
            },
        })
    }

    /// `default clocking ... endclocking` or `default disable iff (...);`
    pub(super) fn default_item(&mut self) -> Parsed<ItemKind> {
        self.tokens.advance();
        if self.take("disable") {
            let opened = self.last_span();
            self.expect_word("iff", opened)?;
            let condition = self.expression()?;
            self.expect(";")?;
            return Ok(ItemKind::DefaultDisable(condition));
        }
        let opened = self.token().span;
        if !self.take("clocking") {
            return Err(self.unexpected("`clocking` or `disable`"));
        }
        if self.is_identifier(0) {
            self.tokens.advance();
        }
        if !self.at_symbol("@") {
            return Err(self
                .unsupported("a clocking block that is declared elsewhere")
                .help("write `default clocking @(posedge clk); endclocking`"));
        }
        let clock = self.clocking_event()?;
        self.expect(";")?;
        if !self.at("endclocking") {
            return Err(self.unsupported("a clocking block with items"));
        }
        self.expect_word("endclocking", opened)?;
        self.label()?;
        Ok(ItemKind::DefaultClocking(clock))
    }

    /// `@(posedge clk)`
    fn clocking_event(&mut self) -> Parsed<Edge> {
        let start = self.token().span;
        self.expect("@")?;
        let Sensitivity { edges, only_if, .. } = self.sensitivity()?;
        let span = start.to(self.last_span());
        if let Some(condition) = only_if {
            let what = "`iff` in the clock of a property";
            let span = condition.span.unwrap_or(span);
            return Err(super::parse::unsupported(what, span)
                .help("say it in the property, as in `condition |-> ...`"));
        }
        match <[Edge; 1]>::try_from(edges) {
            Ok([edge]) => Ok(edge),
            Err(_) => Err(Diagnostic::error(
                codes::CLOCKING,
                "a property moves with one edge of the clock",
            )
            .at(span, "not one edge")
            .help("write `@(posedge clk)`")),
        }
    }

    fn property_spec(&mut self) -> Parsed<PropertySpec> {
        let mut clock = None;
        if self.at_symbol("@") {
            clock = Some(self.clocking_event()?);
        }
        let mut disable = None;
        if self.take("disable") {
            let opened = self.last_span();
            self.expect_word("iff", opened)?;
            disable = Some(self.condition()?);
        }
        if clock.is_none() && self.at_symbol("@") {
            clock = Some(self.clocking_event()?);
        }
        let body = self.property_expression()?;
        Ok(PropertySpec {
            clock,
            disable,
            body,
        })
    }

    fn property_expression(&mut self) -> Parsed<Tree> {
        self.nested(Parser::implication)
    }

    fn tree(&self, start: Span, kind: SvaKind<Expr>) -> Tree {
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
    fn range(&mut self) -> Parsed<SvaRange<Expr>> {
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

    fn primary(&mut self) -> Parsed<Tree> {
        let start = self.token().span;
        if self.at_symbol("@") {
            return Err(self
                .unsupported("a clock inside of a property")
                .help("say the clock once, in front of the property"));
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

fn number(value: u64) -> Expr {
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
