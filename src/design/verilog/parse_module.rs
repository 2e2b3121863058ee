//! Modules, packages, interfaces and checkers: their headers, and the items up to their ends.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{Expr, ExprKind};
use crate::source::Diagnostic;

/// Reserved words that no module needs, and that other tools take for names of modules.
const NAMES_OF_MODULES: [&str; 4] = ["small", "medium", "large", "ref"];

impl Parser<'_, '_> {
    pub(super) fn module(&mut self) -> Parsed<Module> {
        let start = self.token().span;
        let is_package = self.at("package");
        let is_interface = self.at("interface");
        let is_checker = self.at("checker");
        self.tokens.advance();
        let _ = self.take("automatic") || self.take("static");
        let name = self.module_name()?;
        let mut items = Vec::new();
        while self.at("import") {
            self.items(&mut items)?;
        }
        let mut parameters = Vec::new();
        let mut ports = Vec::new();
        let header = self.tokens.position();
        let read = match is_checker {
            true => self.checker_header(&mut ports, &mut items),
            false => self.header(&mut parameters, &mut ports, &mut items),
        };
        if let Err(problem) = read {
            self.leave_out(header, problem)?;
        }
        let end = if is_package {
            "endpackage"
        } else if is_interface {
            "endinterface"
        } else if is_checker {
            "endchecker"
        } else {
            "endmodule"
        };
        while !self.at(end) {
            if self.token().kind == TokenKind::End {
                let message = format!("`{}` is never ended", name.text);
                return Err(Diagnostic::error(codes::SYNTAX, message)
                    .at(start.to(name.span), format!("no `{end}` follows"))
                    .at(self.token().span, "the file ends here"));
            }
            self.items(&mut items)?;
        }
        let end = self.token().span;
        self.tokens.advance();
        self.label()?;
        if let [wild] = ports.as_slice()
            && wild.text == EVERY_PORT
        {
            ports = declared_ports(&items);
        }
        Ok(Module {
            name,
            is_package,
            is_interface,
            is_checker,
            parameters,
            ports,
            items,
            end,
        })
    }

    /// Yosys also has modules whose names start with `$`.
    fn module_name(&mut self) -> Parsed<Identifier> {
        let token = self.token();
        let is_known = token.kind == TokenKind::System || self.at_any(&NAMES_OF_MODULES);
        if !is_known {
            return self.identifier("the name of a module");
        }
        self.tokens.advance();
        Ok(Identifier {
            text: token.text.to_string(),
            span: token.span,
        })
    }

    /// Parameters and ports, up to the semicolon.
    fn header(
        &mut self,
        parameters: &mut Vec<Parameter>,
        ports: &mut Vec<Identifier>,
        items: &mut Vec<Item>,
    ) -> Parsed<()> {
        if self.take_symbol("#") {
            self.expect("(")?;
            self.parameter_list(parameters)?;
        }
        if self.take_symbol("(") {
            self.port_list(None, ports, items)?;
        }
        self.expect(";")?;
        Ok(())
    }

    /// The arguments of a checker, which are inputs unless they say otherwise. One without a
    /// type would have that of what is given for it.
    fn checker_header(&mut self, ports: &mut Vec<Identifier>, items: &mut Vec<Item>) -> Parsed<()> {
        if self.take_symbol("(") {
            self.port_list(Some(Direction::Input), ports, items)?;
        }
        self.expect(";")?;
        for item in items.iter() {
            if let ItemKind::Declaration(declaration) = &item.kind
                && declaration.data_type.is_none()
            {
                let what = "an argument of a checker without a type";
                return Err(super::parse::unsupported(what, item.span)
                    .help("give it one, as in `logic [7:0] a`"));
            }
        }
        Ok(())
    }

    /// `parameter A = 1, parameter B = 2)`
    fn parameter_list(&mut self, parameters: &mut Vec<Parameter>) -> Parsed<()> {
        if self.take_symbol(")") {
            return Ok(());
        }
        let mut local = false;
        let mut data_type = None;
        let mut of_types = false;
        loop {
            if self.at_any(&["parameter", "localparam"]) {
                local = self.at("localparam");
                self.tokens.advance();
                of_types = self.take("type");
                data_type = None;
            }
            if !of_types && !self.starts_untyped_parameter() {
                data_type = self.parameter_type()?;
            }
            parameters.push(self.parameter(local, of_types, data_type.clone())?);
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(())
    }

    /// A type if one is written. What is a `string` has the width of its value, as without one.
    pub(super) fn parameter_type(&mut self) -> Parsed<Option<DataType>> {
        if self.take("string") {
            return Ok(None);
        }
        self.optional_type()
    }

    /// `NAME =`
    pub(super) fn starts_untyped_parameter(&self) -> bool {
        self.is_identifier(0) && self.token_at(1).is_symbol("=")
    }

    pub(super) fn parameter(
        &mut self,
        local: bool,
        of_types: bool,
        data_type: Option<DataType>,
    ) -> Parsed<Parameter> {
        let name = self.identifier("the name of a parameter")?;
        let dimensions = self.dimensions()?;
        let mut value = None;
        let mut type_value = None;
        if self.take_symbol("=") {
            if of_types {
                type_value = Some(self.data_type()?);
            } else {
                value = Some(self.parameter_value()?);
            }
        }
        Ok(Parameter {
            name,
            data_type,
            dimensions,
            value,
            local,
            type_value,
        })
    }

    /// An expression, or `$`: the end of a range that has none.
    pub(super) fn parameter_value(&mut self) -> Parsed<Expr> {
        let span = self.token().span;
        if !self.take_symbol(UNBOUNDED) {
            return self.expression();
        }
        Ok(Expr {
            kind: ExprKind::Name(vec![UNBOUNDED.to_string()]),
            span: Some(span),
        })
    }

    /// The ports of a module, with or without their types.
    fn port_list(
        &mut self,
        mut direction: Option<Direction>,
        ports: &mut Vec<Identifier>,
        items: &mut Vec<Item>,
    ) -> Parsed<()> {
        if self.take_symbol(")") {
            return Ok(());
        }
        if self.every_port(ports)? {
            return Ok(());
        }
        let mut is_net = true;
        let mut data_type: Option<DataType> = None;
        loop {
            if self.at_any(&["event", "untyped", "sequence", "property"]) {
                let what = format!("`{}` as the type of a port", self.token().text);
                return Err(self.unsupported(&what).help("give it a type of values"));
            }
            let start = self.token().span;
            // Behind the last comma, as Yosys allows it.
            if !ports.is_empty() && self.at_symbol(")") {
                break;
            }
            if self.starts_interface_port(direction) {
                self.interface_port(ports, items)?;
                if !self.take_symbol(",") {
                    break;
                }
                continue;
            }
            if let Some(found) = self.direction()? {
                direction = Some(found);
                is_net = !self.variable_keyword();
                data_type = self.optional_type()?;
            } else if direction.is_some() && !(self.is_identifier(0) && self.ends_port(1)) {
                is_net = !self.variable_keyword();
                data_type = self.optional_type()?;
            }
            if self.at_symbol(".") {
                return Err(self.unsupported("a port expression"));
            }
            let name = self.identifier("the name of a port")?;
            if ports.iter().any(|port| port.text == name.text) {
                let message = format!("two ports are called `{}`", name.text);
                return Err(
                    Diagnostic::error(codes::REPEATED_NAME, message).at(name.span, "the second")
                );
            }
            ports.push(name.clone());
            if direction.is_some() {
                let dimensions = self.dimensions()?;
                let value = if self.take_symbol("=") {
                    Some(self.expression()?)
                } else {
                    None
                };
                let kind = ItemKind::Declaration(Declaration {
                    direction,
                    is_net,
                    is_genvar: false,
                    resolution: None,
                    free: None,
                    data_type: data_type.clone(),
                    names: vec![Declarator {
                        name,
                        dimensions,
                        value,
                    }],
                });
                let span = start.to(self.last_span());
                items.push(Item { kind, span });
            }
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(())
    }

    /// `(...)`: the ports are those that the body declares, which Yosys reads.
    fn every_port(&mut self, ports: &mut Vec<Identifier>) -> Parsed<bool> {
        let span = self.token().span;
        if !(0..3).all(|ahead| self.token_at(ahead).is_symbol(".")) {
            return Ok(false);
        }
        for _ in 0..3 {
            self.tokens.advance();
        }
        self.expect(")")?;
        let text = EVERY_PORT.to_string();
        ports.push(Identifier { text, span });
        Ok(true)
    }

    /// `bus_if.master name`, `interface name`, or `bus_if name` where no direction was written before.
    fn starts_interface_port(&self, direction: Option<Direction>) -> bool {
        if self.at("interface") {
            return true;
        }
        let has_modport = self.is_identifier(0)
            && self.token_at(1).is_symbol(".")
            && self.is_identifier(2)
            && self.is_identifier(3);
        has_modport || direction.is_none() && self.is_identifier(0) && self.is_identifier(1)
    }

    fn interface_port(&mut self, ports: &mut Vec<Identifier>, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.token().span;
        let interface = match self.take("interface") {
            true => None,
            false => Some(self.identifier("the name of an interface")?),
        };
        if self.take_symbol(".") {
            self.identifier("the name of a modport")?;
        }
        let name = self.identifier("the name of a port")?;
        let mut dimensions = self.dimensions()?;
        if dimensions.len() > 1 {
            return Err(self.unsupported("an array of interfaces with several dimensions"));
        }
        ports.push(name.clone());
        let kind = ItemKind::InterfacePort {
            interface,
            name,
            dimension: dimensions.pop(),
        };
        let span = start.to(self.last_span());
        items.push(Item { kind, span });
        Ok(())
    }

    fn ends_port(&self, ahead: usize) -> bool {
        matches!(
            self.token_at(ahead).kind,
            TokenKind::Symbol("," | ")" | "[" | "=")
        )
    }

    /// Whether a port is a variable: it has a type, and not just a range.
    fn variable_keyword(&self) -> bool {
        self.at_any(&[
            "reg", "var", "logic", "bit", "integer", "int", "byte", "shortint", "longint", "time",
            "enum", "struct",
        ]) || self.is_identifier(0) && (self.is_identifier(1) || self.token_at(1).is_symbol("::"))
    }

    /// `input`, `output` or `inout` of a port or an argument.
    pub(super) fn direction(&mut self) -> Parsed<Option<Direction>> {
        if self.at("ref") {
            return Err(self
                .unsupported("a port or argument of this direction")
                .help("use an input and an output"));
        }
        Ok(if self.take("inout") {
            Some(Direction::Both)
        } else if self.take("input") {
            Some(Direction::Input)
        } else if self.take("output") {
            Some(Direction::Output)
        } else {
            None
        })
    }
}

/// What stands for all ports that a body declares.
const EVERY_PORT: &str = "...";

fn declared_ports(items: &[Item]) -> Vec<Identifier> {
    let declarations = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Declaration(declaration) => Some(declaration),
        _ => None,
    });
    declarations
        .filter(|declaration| declaration.direction.is_some())
        .flat_map(|declaration| &declaration.names)
        .map(|one| one.name.clone())
        .collect()
}
