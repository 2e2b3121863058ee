//! Assertions, and declarations of sequences and properties (IEEE 1800-2017, 16.5 to 16.16).

use super::codes;
use super::parse::{Parsed, Parser};
use super::parse_sequence::{Tree, number};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{BinaryOp, CAPTURE, Expr, ExprKind, Role, Sva, SvaKind, SvaRange};
use crate::source::{Diagnostic, Span};

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
    pub(super) fn property_case(&mut self, start: Span) -> Parsed<Tree> {
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
    pub(super) fn captures(&mut self, mut sequence: Tree) -> Parsed<Tree> {
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
    pub(super) fn clocking_event(&mut self) -> Parsed<Edge> {
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
        let outer = std::mem::replace(&mut self.clock, clock.clone());
        let mut ahead = 0;
        while self.token_at(ahead).is_symbol("(") {
            ahead += 1;
        }
        self.clock_follows = clock.is_none() && self.token_at(ahead).is_symbol("@");
        let body = self.property_expression();
        let clock = std::mem::replace(&mut self.clock, outer);
        Ok(PropertySpec {
            clock,
            disable,
            body: body?,
        })
    }
}
