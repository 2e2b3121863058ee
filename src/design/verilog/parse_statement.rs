//! Always blocks and statements.

use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{BinaryOp, Expr, ExprKind, Number};

impl Parser<'_, '_> {
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let (start, span) = (self.tokens.position(), self.token().span);
        match self.nested(Parser::any_statement) {
            Err(problem) => {
                self.leave_out(start, problem)?;
                let kind = StatementKind::Nothing;
                Ok(Statement { kind, span })
            }
            read => read,
        }
    }

    fn any_statement(&mut self) -> Parsed<Statement> {
        let start = self.token().span;
        let kind = self.statement_kind()?;
        Ok(Statement {
            kind,
            span: start.to(self.last_span()),
        })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        let token = self.token();
        if self.take_symbol(";") {
            return Ok(StatementKind::Nothing);
        }
        if self.at_symbol("#") {
            self.delay()?;
            return self.statement_kind();
        }
        if self.at_symbol("@") {
            return Err(self.unsupported("an event control inside of a block"));
        }
        if self.at_symbol("++") || self.at_symbol("--") {
            let statement = self.step()?;
            self.expect(";")?;
            return Ok(statement.kind);
        }
        if token.kind == TokenKind::System {
            return self.system_task();
        }
        if self.at_assertion() {
            let assertion = self.assertion()?;
            return Ok(StatementKind::Assertion(Box::new(assertion)));
        }
        let word = match token.kind {
            TokenKind::Identifier => token.text,
            _ => "",
        };
        match word {
            "begin" => self.block(),
            "if" => self.if_statement(),
            "unique" | "unique0" | "priority" => {
                self.tokens.advance();
                if !self.at_any(&["if", "case", "casez", "casex"]) {
                    return Err(self.unexpected("`if` or `case`"));
                }
                self.statement_kind()
            }
            "case" | "casez" | "casex" => self.case(),
            "for" => self.for_statement(),
            "while" => {
                self.tokens.advance();
                let condition = self.condition()?;
                let body = Box::new(self.statement()?);
                Ok(StatementKind::While(condition, body))
            }
            "do" => {
                self.tokens.advance();
                let body = Box::new(self.statement()?);
                if !self.take("while") {
                    return Err(self.unexpected("`while`"));
                }
                let condition = self.condition()?;
                self.expect(";")?;
                Ok(StatementKind::DoWhile(body, condition))
            }
            "foreach" => self.foreach_statement(),
            "break" | "continue" => {
                self.tokens.advance();
                self.expect(";")?;
                Ok(match word {
                    "break" => StatementKind::Break,
                    _ => StatementKind::Continue,
                })
            }
            "void" => {
                self.tokens.advance();
                self.expect("'(")?;
                let name = self.called()?;
                let arguments = self.arguments()?;
                self.expect(")")?;
                self.expect(";")?;
                Ok(StatementKind::Call(name, arguments))
            }
            "repeat" => {
                self.tokens.advance();
                let count = self.condition()?;
                let body = Box::new(self.statement()?);
                Ok(StatementKind::Repeat(count, body))
            }
            "return" => {
                self.tokens.advance();
                let value = if self.at_symbol(";") {
                    None
                } else {
                    Some(self.expression()?)
                };
                self.expect(";")?;
                Ok(StatementKind::Return(value))
            }
            "forever" | "fork" | "wait" | "disable" | "assign" | "deassign" | "force"
            | "release" | "expect" | "randcase" => {
                Err(self.unsupported(&format!("`{word}` in a block")))
            }
            _ if self.is_call() => {
                let name = self.called()?;
                let arguments = self.arguments()?;
                self.expect(";")?;
                Ok(StatementKind::Call(name, arguments))
            }
            _ => {
                let statement = self.assignment(true)?;
                self.expect(";")?;
                Ok(statement.kind)
            }
        }
    }

    fn is_call(&self) -> bool {
        let mut ahead = 1;
        while matches!(self.token_at(ahead).kind, TokenKind::Symbol("::" | "."))
            && self.is_identifier(ahead + 1)
        {
            ahead += 2;
        }
        self.is_identifier(0)
            && (self.token_at(ahead).is_symbol("(") || self.token_at(ahead).is_symbol(";"))
    }

    /// The name of a routine, maybe of a package or of an interface.
    fn called(&mut self) -> Parsed<Identifier> {
        let mut name = self.identifier("a task")?;
        while self.take_symbol("::") || self.take_symbol(".") {
            let inner = self.identifier("a task")?;
            name.text = format!("{}::{}", name.text, inner.text);
            name.span = name.span.to(inner.span);
        }
        Ok(name)
    }

    /// `foreach (memory[i, j])`: loops over the indices, from the left end of each range.
    fn foreach_statement(&mut self) -> Parsed<StatementKind> {
        let start = self.token().span;
        self.tokens.advance();
        self.expect("(")?;
        let array = self.identifier("the name of an array")?;
        self.expect("[")?;
        let mut variables = Vec::new();
        loop {
            let skipped = self.at_symbol(",") || self.at_symbol("]");
            variables.push(match skipped {
                true => None,
                false => Some(self.identifier("the variable of a loop")?),
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect("]")?;
        self.expect(")")?;
        let mut statement = self.statement()?;
        for (index, variable) in variables.into_iter().enumerate().rev() {
            let Some(variable) = variable else {
                continue;
            };
            let span = start.to(self.last_span());
            let kind = foreach_loop(&array, index + 1, &variable, statement, self.int_type());
            statement = Statement { kind, span };
        }
        Ok(statement.kind)
    }

    fn int_type(&self) -> DataType {
        DataType {
            kind: TypeKind::Integer(32, true),
            is_implicit: false,
            two_state: true,
            ..self.implicit_type()
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if !self.take_symbol("(") || self.take_symbol(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    /// Tasks that print or end a simulation do nothing to a circuit.
    pub(super) fn system_task(&mut self) -> Parsed<StatementKind> {
        let token = self.token();
        if matches!(token.text, "$readmemh" | "$readmemb") {
            return self.read_memory();
        }
        let harmless = [
            "$display",
            "$write",
            "$strobe",
            "$monitor",
            "$info",
            "$warning",
            "$error",
            "$fatal",
            "$finish",
            "$stop",
            "$dumpfile",
            "$dumpvars",
        ];
        if !harmless.contains(&token.text) {
            return Err(self.unsupported(&format!("the system task `{}`", token.text)));
        }
        self.tokens.advance();
        let mut depth = 0;
        loop {
            match self.token().kind {
                TokenKind::End => return Err(self.unexpected("`;`")),
                TokenKind::Symbol("(") => depth += 1,
                TokenKind::Symbol(")") => depth -= 1,
                TokenKind::Symbol(";") if depth <= 0 => break,
                _ => {}
            }
            self.tokens.advance();
        }
        self.tokens.advance();
        Ok(StatementKind::SystemTask)
    }

    /// `$readmemh("file", memory, start, end);`
    fn read_memory(&mut self) -> Parsed<StatementKind> {
        let start = self.token().span;
        let is_hexadecimal = self.token().text == "$readmemh";
        self.tokens.advance();
        self.expect("(")?;
        let file = match self.token() {
            token if token.is_text() && self.token_at(1).is_symbol(",") => {
                self.tokens.advance();
                DataFile::Written(token.text.trim_matches('"').to_string())
            }
            _ => DataFile::Computed(self.expression()?),
        };
        self.expect(",")?;
        let target = self.target()?;
        let mut bounds = Vec::new();
        while bounds.len() < 2 && self.take_symbol(",") {
            bounds.push(self.expression()?);
        }
        self.expect(")")?;
        self.expect(";")?;
        let mut bounds = bounds.into_iter();
        Ok(StatementKind::ReadMemory(Box::new(ReadMemory {
            is_hexadecimal,
            file,
            target,
            start: bounds.next(),
            end: bounds.next(),
            span: start.to(self.last_span()),
        })))
    }

    fn block(&mut self) -> Parsed<StatementKind> {
        let start = self.token().span;
        self.tokens.advance();
        let name = self.label()?;
        let mut declarations = Vec::new();
        let mut statements = Vec::new();
        while !self.at("end") {
            if self.token().kind == TokenKind::End
                || self.at_any(&["endmodule", "endcase", "endfunction", "endtask"])
            {
                self.expect_word("end", start)?;
            }
            if self.starts_local_declaration() {
                statements.extend(self.local_declaration(&mut declarations)?);
            } else {
                statements.push(self.statement()?);
            }
        }
        self.tokens.advance();
        self.label()?;
        Ok(StatementKind::Block {
            name,
            declarations,
            statements,
        })
    }

    pub(super) fn starts_local_declaration(&self) -> bool {
        self.at_any(&[
            "reg",
            "logic",
            "bit",
            "integer",
            "int",
            "byte",
            "shortint",
            "longint",
            "var",
            "automatic",
            "static",
            "localparam",
            "parameter",
            "enum",
            "struct",
            "const",
            "time",
        ]) || self.is_identifier(0)
            && self.is_identifier(1)
            && matches!(
                self.token_at(2).kind,
                TokenKind::Symbol(";" | "=" | "," | "[")
            )
    }

    /// A declaration in a block, and the assignments of its first values. Those of what is
    /// `static` count once.
    pub(super) fn local_declaration(
        &mut self,
        declarations: &mut Vec<Item>,
    ) -> Parsed<Vec<Statement>> {
        let is_static = self.at("static");
        let before = declarations.len();
        self.items(declarations)?;
        Ok(match is_static {
            true => Vec::new(),
            false => first_values(&mut declarations[before..]),
        })
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.tokens.advance();
        let condition = self.condition()?;
        let then = Box::new(self.statement()?);
        let otherwise = if self.take("else") {
            Some(Box::new(self.statement()?))
        } else {
            None
        };
        Ok(StatementKind::If {
            condition,
            then,
            otherwise,
        })
    }

    fn case(&mut self) -> Parsed<StatementKind> {
        let start = self.token().span;
        let kind = match self.token().text {
            "casez" => CaseKind::HighImpedance,
            "casex" => CaseKind::Unknown,
            _ => CaseKind::Exact,
        };
        self.tokens.advance();
        let selector = self.condition()?;
        if self.at("matches") {
            return Err(self.unsupported("`case` with `matches`"));
        }
        let kind = match (kind, self.take("inside")) {
            (CaseKind::Exact, true) => CaseKind::Inside,
            (_, true) => return Err(self.unsupported("`casez` or `casex` with `inside`")),
            (kind, false) => kind,
        };
        let mut items = Vec::new();
        while !self.at("endcase") {
            if self.token().kind == TokenKind::End || self.at_any(&["endmodule", "end"]) {
                self.expect_word("endcase", start)?;
            }
            let labels = match kind {
                CaseKind::Inside => self.value_labels()?,
                _ => self.labels()?,
            };
            let body = self.statement()?;
            items.push(CaseItem { labels, body });
        }
        self.tokens.advance();
        Ok(StatementKind::Case {
            kind,
            selector,
            items,
            end: self.last_span(),
        })
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.tokens.advance();
        self.expect("(")?;
        let mut declares = None;
        if !self.is_identifier(0) || self.is_identifier(1) {
            declares = Some(self.data_type()?);
        }
        let start = Box::new(self.assignment(false)?);
        if self.at_symbol(",") {
            return Err(self
                .unsupported("a loop with several variables")
                .help("declare the others before the loop, and step them in it"));
        }
        self.expect(";")?;
        let condition = self.expression()?;
        self.expect(";")?;
        let step = Box::new(self.step()?);
        self.expect(")")?;
        let body = Box::new(self.statement()?);
        Ok(StatementKind::For {
            declares,
            start,
            condition,
            step,
            body,
        })
    }

    /// The step of a loop: `i = i + 1`, `i++`, `++i`.
    pub(super) fn step(&mut self) -> Parsed<Statement> {
        for (symbol, operator) in [("++", BinaryOp::Add), ("--", BinaryOp::Subtract)] {
            if self.at_symbol(symbol) {
                let start = self.token().span;
                self.tokens.advance();
                let target = self.target()?;
                let span = start.to(self.last_span());
                return Ok(compound(target, operator, number_one(), start, span));
            }
        }
        self.assignment(false)
    }

    /// `target = value`, `target <= value`, `target += value`, `target++`.
    fn assignment(&mut self, allows_nonblocking: bool) -> Parsed<Statement> {
        let start = self.token().span;
        let target = self.target()?;
        let operator = self.token().span;
        let symbol = match self.token().kind {
            TokenKind::Symbol(symbol) => symbol,
            _ => return Err(self.unexpected("`=` or `<=`")),
        };
        self.tokens.advance();
        let nonblocking = symbol == "<=" && allows_nonblocking;
        if symbol == "=" || nonblocking {
            self.delay()?;
            let value = self.expression()?;
            return Ok(Statement {
                span: start.to(self.last_span()),
                kind: StatementKind::Assign {
                    target,
                    value,
                    blocking: !nonblocking,
                    operator,
                    compound: false,
                },
            });
        }
        let step = match symbol {
            "++" => Some(BinaryOp::Add),
            "--" => Some(BinaryOp::Subtract),
            _ => None,
        };
        if let Some(step) = step {
            let span = start.to(self.last_span());
            return Ok(compound(target, step, number_one(), operator, span));
        }
        let binary = symbol.strip_suffix('=').and_then(BinaryOp::from_symbol);
        match binary {
            Some(binary) if symbol.len() > 1 && !matches!(symbol, "==" | "<=" | ">=" | "!=") => {
                let value = self.expression()?;
                let span = start.to(self.last_span());
                Ok(compound(target, binary, value, operator, span))
            }
            _ => {
                self.tokens.go_to(self.tokens.position() - 1);
                Err(self.unexpected("`=` or `<=`"))
            }
        }
    }

    /// What can be assigned to: a name, a select of one, or several in braces.
    pub(super) fn target(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let start = parser.token().span;
            if !parser.take_symbol("{") {
                return parser.single_target();
            }
            let mut parts = Vec::new();
            loop {
                parts.push(parser.target()?);
                if !parser.take_symbol(",") {
                    break;
                }
            }
            let end = parser.expect("}")?;
            Ok(Expr {
                kind: ExprKind::Concat(parts),
                span: Some(start.to(end)),
            })
        })
    }

    fn single_target(&mut self) -> Parsed<Expr> {
        let name = self.identifier("the target of an assignment")?;
        let start = name.span;
        let mut path = vec![name.text];
        let mut target: Option<Expr> = None;
        loop {
            if self.take_symbol(".") {
                let name = self.identifier("a name")?.text;
                match target.take() {
                    None => path.push(name),
                    Some(scope) => {
                        target = Some(Expr {
                            kind: ExprKind::Member(Box::new(scope), name),
                            span: Some(start.to(self.last_span())),
                        });
                    }
                }
                continue;
            }
            if !self.take_symbol("[") {
                break;
            }
            let base = target.take().unwrap_or_else(|| Expr {
                kind: ExprKind::Name(path.clone()),
                span: Some(start.to(self.span_before(2))),
            });
            let base = Box::new(base);
            let first = Box::new(self.expression()?);
            let kind = if self.take_symbol("]") {
                ExprKind::Index(base, first)
            } else {
                let symbol = self.token().kind.clone();
                self.tokens.advance();
                let second = Box::new(self.expression()?);
                self.expect("]")?;
                match symbol {
                    TokenKind::Symbol(":") => ExprKind::Range(base, first, second),
                    TokenKind::Symbol(symbol @ ("+:" | "-:")) => ExprKind::IndexedRange {
                        base,
                        start: first,
                        width: second,
                        down: symbol == "-:",
                    },
                    _ => return Err(self.unexpected("`]`")),
                }
            };
            target = Some(Expr {
                kind,
                span: Some(start.to(self.last_span())),
            });
        }
        Ok(target.unwrap_or_else(|| Expr {
            kind: ExprKind::Name(path),
            span: Some(start.to(self.last_span())),
        }))
    }
}

/// The first values of variables of a block, as assignments: they count whenever the block is
/// entered.
fn first_values(declarations: &mut [Item]) -> Vec<Statement> {
    let mut statements = Vec::new();
    for item in declarations {
        let ItemKind::Declaration(declaration) = &mut item.kind else {
            continue;
        };
        for declarator in &mut declaration.names {
            let Some(value) = declarator.value.take() else {
                continue;
            };
            let name = &declarator.name;
            statements.push(Statement {
                span: value.span.map_or(name.span, |span| name.span.to(span)),
                kind: StatementKind::Assign {
                    target: Expr {
                        kind: ExprKind::Name(vec![name.text.clone()]),
                        span: Some(name.span),
                    },
                    value,
                    blocking: true,
                    operator: name.span,
                    // There is no operator to be edited.
                    compound: true,
                },
            });
        }
    }
    statements
}

/// One loop of a `foreach`: over the indices of a dimension, counted from 1.
fn foreach_loop(
    array: &Identifier,
    dimension: usize,
    variable: &Identifier,
    body: Statement,
    integer: DataType,
) -> StatementKind {
    let plain = |kind: ExprKind| Expr { kind, span: None };
    let name = |name: &Identifier| plain(ExprKind::Name(vec![name.text.clone()]));
    let query = |function: &str| {
        let number = plain(ExprKind::Number(Number::decimal(dimension as u64)));
        plain(ExprKind::Call(
            function.to_string(),
            vec![name(array), number],
        ))
    };
    let assign = |target: Expr, value: Expr| Statement {
        kind: StatementKind::Assign {
            target,
            value,
            blocking: true,
            operator: variable.span,
            compound: false,
        },
        span: variable.span,
    };
    // From the left end on, in whatever direction that is.
    let operation =
        |operator, left, right| plain(ExprKind::Binary(operator, Box::new(left), Box::new(right)));
    let distance = operation(BinaryOp::Subtract, query("$left"), name(variable));
    let covered = operation(BinaryOp::Multiply, distance, query("$increment"));
    let condition = operation(BinaryOp::Less, covered, query("$size"));
    let next = operation(BinaryOp::Subtract, name(variable), query("$increment"));
    StatementKind::For {
        declares: Some(integer),
        start: Box::new(assign(name(variable), query("$left"))),
        condition,
        step: Box::new(assign(name(variable), next)),
        body: Box::new(body),
    }
}

fn number_one() -> Expr {
    Expr {
        kind: ExprKind::Number(Number::decimal(1)),
        span: None,
    }
}

/// `target = target operator value`
fn compound(
    target: Expr,
    operator: BinaryOp,
    value: Expr,
    operator_span: crate::source::Span,
    span: crate::source::Span,
) -> Statement {
    let sum = Expr {
        kind: ExprKind::Binary(operator, Box::new(target.clone()), Box::new(value)),
        span: Some(span),
    };
    Statement {
        kind: StatementKind::Assign {
            target,
            value: sum,
            blocking: true,
            operator: operator_span,
            compound: true,
        },
        span,
    }
}
