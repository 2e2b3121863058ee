//! Functions and tasks.

use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;

impl Parser<'_, '_> {
    pub(super) fn routine(&mut self) -> Parsed<Routine> {
        let start = self.token().span;
        let is_function = self.at("function");
        let end = if is_function {
            "endfunction"
        } else {
            "endtask"
        };
        self.tokens.advance();
        let _ = self.take("automatic") || self.take("static");
        let mut result = None;
        if is_function {
            let plain = self.is_identifier(0)
                && (self.token_at(1).is_symbol(";") || self.token_at(1).is_symbol("("));
            // A function without a result is a task.
            result = if self.take("void") {
                None
            } else if plain {
                Some(self.implicit_type())
            } else {
                Some(self.data_type()?)
            };
        }
        let name = self.identifier("the name of a function or task")?;
        let mut routine = Routine {
            name,
            result,
            arguments: Vec::new(),
            declarations: Vec::new(),
            body: Vec::new(),
        };
        if self.take_symbol("(") {
            self.routine_arguments(&mut routine.arguments)?;
        }
        self.expect(";")?;
        while !self.at(end) {
            if self.token().kind == TokenKind::End || self.at("endmodule") {
                self.expect_word(end, start)?;
            }
            if self.at_any(&["input", "output", "inout"]) {
                self.old_arguments(&mut routine.arguments)?;
            } else if self.starts_local_declaration() {
                let first = self.local_declaration(&mut routine.declarations)?;
                routine.body.extend(first);
                routine.complete_arguments();
            } else {
                let statement = self.statement()?;
                routine.body.push(statement);
            }
        }
        self.tokens.advance();
        self.label()?;
        Ok(routine)
    }

    fn routine_arguments(&mut self, arguments: &mut Vec<Argument>) -> Parsed<()> {
        if self.take_symbol(")") {
            return Ok(());
        }
        let mut direction = Direction::Input;
        let mut data_type = self.implicit_type();
        loop {
            let given = self.direction()?;
            direction = given.unwrap_or(direction);
            let plain = self.is_identifier(0)
                && (self.token_at(1).is_symbol(",") || self.token_at(1).is_symbol(")"));
            if !plain {
                data_type = self.data_type()?;
            } else if given.is_some() {
                data_type = self.implicit_type();
            }
            let name = self.identifier("the name of an argument")?;
            if self.at_symbol("=") {
                return Err(self
                    .unsupported("an argument of a function or task with a default")
                    .help("give it a value where it is called"));
            }
            if self.at_symbol("[") {
                return Err(self
                    .unsupported("an argument of a function or task that is an array")
                    .help("use a packed dimension, before the name"));
            }
            arguments.push(Argument {
                direction,
                name,
                data_type: data_type.clone(),
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(())
    }

    /// `input [3:0] a, b;` inside of a function.
    fn old_arguments(&mut self, arguments: &mut Vec<Argument>) -> Parsed<()> {
        let direction = self.direction()?.unwrap_or(Direction::Input);
        let data_type = if self.is_identifier(0) {
            self.implicit_type()
        } else {
            self.data_type()?
        };
        loop {
            let name = self.identifier("the name of an argument")?;
            arguments.push(Argument {
                direction,
                name,
                data_type: data_type.clone(),
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }
}

impl Routine {
    /// `input a; reg a;` in the old style: the second declaration has the type of the first.
    fn complete_arguments(&mut self) {
        let Some(ItemKind::Declaration(declaration)) =
            self.declarations.last_mut().map(|item| &mut item.kind)
        else {
            return;
        };
        let data_type = declaration.data_type.clone();
        let arguments = &mut self.arguments;
        declaration.names.retain(|declarator| {
            let name = &declarator.name.text;
            let argument = arguments.iter_mut().find(|one| one.name.text == *name);
            match (argument, &data_type) {
                (Some(argument), Some(written)) if declarator.dimensions.is_empty() => {
                    argument.data_type = written.clone();
                    false
                }
                _ => true,
            }
        });
    }
}
