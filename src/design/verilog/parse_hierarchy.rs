//! Generate constructs and instances: how a design is put together.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{Expr, ExprKind, VALUE_RANGE};
use crate::source::Diagnostic;

impl Parser<'_, '_> {
    pub(super) fn generate_for(&mut self) -> Parsed<ItemKind> {
        self.tokens.advance();
        self.expect("(")?;
        self.take("genvar");
        let variable = self.identifier("the variable of the loop")?;
        self.expect("=")?;
        let start = self.expression()?;
        self.expect(";")?;
        let condition = self.expression()?;
        self.expect(";")?;
        let step = self.step()?;
        let StatementKind::Assign { target, value, .. } = step.kind else {
            return Err(self.unexpected("the step of the loop"));
        };
        if !matches!(&target.kind, crate::expr::ExprKind::Name(path) if *path == [variable.text.clone()])
        {
            let message = format!("the step of this loop does not change `{}`", variable.text);
            return Err(Diagnostic::error(codes::SYNTAX, message).at(step.span, "this step"));
        }
        self.expect(")")?;
        let block = self.generate_block()?;
        Ok(ItemKind::GenerateFor(GenerateFor {
            variable,
            start,
            condition,
            step: value,
            block,
        }))
    }

    pub(super) fn generate_if(&mut self) -> Parsed<ItemKind> {
        self.tokens.advance();
        let condition = self.condition()?;
        let then = self.generate_block()?;
        let otherwise = if self.take("else") {
            Some(self.generate_block()?)
        } else {
            None
        };
        Ok(ItemKind::GenerateIf {
            condition,
            then,
            otherwise,
        })
    }

    pub(super) fn generate_case(&mut self) -> Parsed<ItemKind> {
        let start = self.token().span;
        self.tokens.advance();
        let selector = self.condition()?;
        let mut items = Vec::new();
        while !self.at("endcase") {
            if self.token().kind == TokenKind::End {
                self.expect_word("endcase", start)?;
            }
            let labels = self.labels()?;
            items.push((labels, self.generate_block()?));
        }
        self.tokens.advance();
        Ok(ItemKind::GenerateCase { selector, items })
    }

    /// `a, b:` or `default:` or `default`
    pub(super) fn labels(&mut self) -> Parsed<Vec<Expr>> {
        let mut labels = Vec::new();
        if self.take("default") {
            self.take_symbol(":");
            return Ok(labels);
        }
        loop {
            labels.push(self.expression()?);
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(":")?;
        Ok(labels)
    }

    /// Labels of `case ... inside`: values and ranges.
    pub(super) fn value_labels(&mut self) -> Parsed<Vec<Expr>> {
        if self.at("default") {
            return self.labels();
        }
        let mut labels = Vec::new();
        loop {
            let start = self.token().span;
            if self.take_symbol("[") {
                let left = self.bound()?;
                self.expect(":")?;
                let right = self.bound()?;
                let end = self.expect("]")?;
                labels.push(Expr {
                    kind: ExprKind::Call(VALUE_RANGE.to_string(), vec![left, right]),
                    span: Some(start.to(end)),
                });
            } else {
                labels.push(self.expression()?);
            }
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(":")?;
        Ok(labels)
    }

    /// A bound of a range of values, or `$` where there is none.
    fn bound(&mut self) -> Parsed<Expr> {
        if !self.take_symbol(UNBOUNDED) {
            return self.expression();
        }
        Ok(Expr {
            kind: ExprKind::Name(vec![UNBOUNDED.to_string()]),
            span: Some(self.last_span()),
        })
    }

    pub(super) fn generate_block(&mut self) -> Parsed<GenerateBlock> {
        let mut items = Vec::new();
        let start = self.token().span;
        if !self.take("begin") {
            self.items(&mut items)?;
            return Ok(GenerateBlock { name: None, items });
        }
        let name = self.label()?;
        while !self.at("end") {
            if self.token().kind == TokenKind::End || self.at("endmodule") {
                self.expect_word("end", start)?;
            }
            self.items(&mut items)?;
        }
        self.tokens.advance();
        self.label()?;
        Ok(GenerateBlock { name, items })
    }

    pub(super) fn bind(&mut self) -> Parsed<Bind> {
        self.tokens.advance();
        let target = self.instance_path()?;
        let mut chosen = Vec::new();
        if self.take_symbol(":") {
            chosen.push(self.instance_path()?);
            while self.take_symbol(",") {
                chosen.push(self.instance_path()?);
            }
        }
        let instance = self.instance()?;
        Ok(Bind {
            target,
            chosen,
            instance,
        })
    }

    /// Names with dots between them, and places of generate loops.
    fn instance_path(&mut self) -> Parsed<InstancePath> {
        let start = self.token().span;
        let mut parts = Vec::new();
        loop {
            let mut part = match self.token().kind {
                TokenKind::System if self.token().text == "$root" && parts.is_empty() => {
                    self.tokens.advance();
                    "$root".to_string()
                }
                _ => self.identifier("the name of a module or an instance")?.text,
            };
            if self.take_symbol("[") {
                let place = self.token().text;
                if place.parse::<u32>().is_err() {
                    return Err(self.unexpected("a number"));
                }
                self.tokens.advance();
                self.expect("]")?;
                part = format!("{part}[{place}]");
            }
            parts.push(part);
            if !self.take_symbol(".") {
                let span = start.to(self.last_span());
                return Ok(InstancePath { parts, span });
            }
        }
    }

    pub(super) fn instance(&mut self) -> Parsed<Instance> {
        let module = self.identifier("the name of a module")?;
        let mut parameters = Vec::new();
        if self.take_symbol("#") {
            if !self.at_symbol("(") {
                return Err(self.unsupported("a delay"));
            }
            self.tokens.advance();
            parameters = self.connections(true)?;
        }
        let mut instances = Vec::new();
        loop {
            let start = self.token().span;
            let name = self.identifier("the name of an instance")?;
            let mut dimensions = self.dimensions()?;
            if dimensions.len() > 1 {
                return Err(self
                    .unsupported("an array of instances with several dimensions")
                    .help("use a generate loop"));
            }
            self.expect("(")?;
            let connections = self.connections(false)?;
            let span = start.to(self.last_span());
            instances.push(SingleInstance {
                name,
                dimension: dimensions.pop(),
                connections,
                span,
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(Instance {
            module,
            parameters,
            instances,
        })
    }

    /// Up to and including the closing parenthesis.
    pub(super) fn connections(&mut self, allows_types: bool) -> Parsed<Vec<Connection>> {
        let mut connections = Vec::new();
        if self.take_symbol(")") {
            return Ok(connections);
        }
        loop {
            let start = self.token().span;
            let mut name = None;
            let value = if self.take_symbol(".") {
                if self.take_symbol("*") {
                    ConnectionValue::AllOthers
                } else {
                    let port = self.identifier("the name of a port")?;
                    name = Some(port.clone());
                    if !self.take_symbol("(") {
                        // `.clk` is short for `.clk(clk)`.
                        ConnectionValue::Expression(Expr {
                            kind: crate::expr::ExprKind::Name(vec![port.text]),
                            span: Some(port.span),
                        })
                    } else if self.take_symbol(")") {
                        ConnectionValue::Open
                    } else {
                        let value = self.connected(allows_types)?;
                        self.expect(")")?;
                        value
                    }
                }
            } else if self.at_symbol(",") || self.at_symbol(")") {
                ConnectionValue::Open
            } else {
                self.connected(allows_types)?
            };
            connections.push(Connection {
                name,
                value,
                span: start.to(self.last_span()),
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(connections)
    }

    pub(super) fn connected(&mut self, allows_types: bool) -> Parsed<ConnectionValue> {
        if allows_types && self.at_any(&["logic", "bit", "reg", "int", "integer", "byte"]) {
            return Ok(ConnectionValue::Type(self.data_type()?));
        }
        Ok(ConnectionValue::Expression(self.expression()?))
    }
}
