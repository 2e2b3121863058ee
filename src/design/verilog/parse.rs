//! Tokens of Verilog files into their syntax tree: the frame, modules and their items.
//! Statements, types, generate constructs and instances have files of their own; expressions
//! are read by [`crate::expr`].
//!
//! What is not part of the supported language is an error at its location: nothing is skipped
//! in silence.

use super::codes;
use super::left_out::LeftOut;
use super::syntax::*;
use crate::expr::build::parse_in_source;
use crate::expr::keywords::{is_keyword, is_new_keyword};
use crate::expr::mistake::unexpected;
use crate::expr::token::{Token, TokenKind};
use crate::expr::{Dialect, Expr};
use crate::limits::Limits;
use crate::source::{Cursor, Diagnostic, Span};
use crate::stack;

pub type Parsed<T> = Result<T, Diagnostic>;

/// Statements, blocks and items inside each other.
const DEEPEST: usize = 200;

pub struct Parser<'t, 'a> {
    pub(super) tokens: Cursor<'t, Token<'a>>,
    pub(super) depth: usize,
    pub(super) unread: Unread,
    /// Delays that were left out.
    pub(super) delays: Vec<Span>,
    /// The clock of the property that is being read, once it was met.
    pub(super) clock: Option<Edge>,
    /// Whether the clock of the property stands inside of its parentheses.
    pub(super) clock_follows: bool,
    /// Sequences and properties that are arguments, until the item that has them is read.
    pub(super) given: Vec<PropertyDeclaration>,
}

/// What becomes of text that is not part of the supported language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    Refused,
    /// Items and statements are left out: Yosys has read the design, and the tree only says
    /// where its parts are.
    LeftOut,
}

/// What files consist of.
pub struct ParsedFiles {
    /// All modules and packages. Items outside of modules are in a package without name.
    pub modules: Vec<Module>,
    /// Modules that cannot be read.
    pub left_out: Vec<LeftOut>,
    /// Delays that were left out.
    pub delays: Vec<Span>,
}

pub fn parse(tokens: &[Token<'_>], unread: Unread, limits: &Limits) -> Parsed<ParsedFiles> {
    let mut parser = Parser {
        tokens: Cursor::within(tokens, limits),
        depth: 0,
        unread,
        delays: Vec::new(),
        clock: None,
        clock_follows: false,
        given: Vec::new(),
    };
    let mut modules = Vec::new();
    let mut left_out = Vec::new();
    let mut outside = Vec::new();
    while parser.token().kind != TokenKind::End {
        if parser.at_any(&["module", "macromodule", "package", "interface", "checker"]) {
            let start = parser.tokens.position();
            match parser.module() {
                Ok(module) => modules.push(module),
                Err(problem) if unread == Unread::Refused => {
                    // A limit is no property of the module.
                    limits.poll()?;
                    left_out.push(parser.without(start, problem)?);
                }
                Err(problem) => parser.leave_out(start, problem)?,
            }
        } else if unread == Unread::Refused && parser.at_unread() {
            let start = parser.tokens.position();
            let problem = parser.unsupported(&format!("`{}`", parser.token().text));
            left_out.push(parser.without(start, problem)?);
        } else {
            parser.items(&mut outside)?;
        }
    }
    if !outside.is_empty() {
        let span = outside[0].span;
        modules.push(Module {
            name: Identifier {
                text: String::new(),
                span,
            },
            is_package: true,
            is_interface: false,
            is_checker: false,
            parameters: Vec::new(),
            ports: Vec::new(),
            items: outside,
            end: span,
        });
    }
    Ok(ParsedFiles {
        modules,
        left_out,
        delays: parser.delays,
    })
}

/// The item that is all of a text; `None` if it is not exactly one.
pub fn single_item(tokens: &[Token<'_>], limits: &Limits) -> Option<Item> {
    let mut parser = Parser {
        tokens: Cursor::within(tokens, limits),
        depth: 0,
        unread: Unread::Refused,
        delays: Vec::new(),
        clock: None,
        clock_follows: false,
        given: Vec::new(),
    };
    let mut items = Vec::new();
    parser.items(&mut items).ok()?;
    let item = items.pop()?;
    let is_whole = items.is_empty() && parser.token().kind == TokenKind::End;
    is_whole.then_some(item)
}

impl<'t, 'a> Parser<'t, 'a> {
    pub(super) fn token(&self) -> &'t Token<'a> {
        self.tokens.peek()
    }

    pub(super) fn token_at(&self, ahead: usize) -> &'t Token<'a> {
        self.tokens.peek_at(ahead)
    }

    /// The last token that was read.
    pub(super) fn last_token(&self) -> &'t Token<'a> {
        self.tokens.last()
    }

    pub(super) fn last_span(&self) -> Span {
        self.last_token().span
    }

    /// The span of a token that was read so many tokens ago.
    pub(super) fn span_before(&self, count: usize) -> Span {
        self.tokens.read_before(count).span
    }

    pub(super) fn at(&self, word: &str) -> bool {
        self.token().is_word(word)
    }

    pub(super) fn at_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.at(word))
    }

    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        self.token().is_symbol(symbol)
    }

    pub(super) fn take(&mut self, word: &str) -> bool {
        self.tokens.accept(|token| token.is_word(word)).is_some()
    }

    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        self.tokens
            .accept(|token| token.is_symbol(symbol))
            .is_some()
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<Span> {
        if self.take_symbol(symbol) {
            return Ok(self.last_span());
        }
        let token = self.token();
        if token.is_symbol("=>") {
            return Err(unexpected(token, Dialect::Source));
        }
        let found = token.describe();
        Err(
            Diagnostic::error(codes::SYNTAX, format!("expected `{symbol}`, found {found}"))
                .at(token.span, format!("`{symbol}` is missing before this")),
        )
    }

    pub(super) fn expect_word(&mut self, word: &str, opened: Span) -> Parsed<Span> {
        if self.take(word) {
            return Ok(self.last_span());
        }
        let token = self.token();
        Err(Diagnostic::error(
            codes::SYNTAX,
            format!("expected `{word}`, found {}", token.describe()),
        )
        .at(token.span, format!("`{word}` is missing before this"))
        .at(opened, "opened here"))
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.token();
        if let TokenKind::Invalid(problem) = &token.kind {
            return (**problem).clone();
        }
        Diagnostic::error(
            codes::SYNTAX,
            format!("expected {wanted}, found {}", token.describe()),
        )
        .at(token.span, format!("{wanted} is missing here"))
    }

    /// What is Verilog, but not supported.
    pub(super) fn unsupported(&self, what: &str) -> Diagnostic {
        unsupported(what, self.token().span)
    }

    pub(super) fn identifier(&mut self, what: &str) -> Parsed<Identifier> {
        let token = self.token();
        let plain = token.kind == TokenKind::Identifier && !is_keyword(token.text);
        if token.kind == TokenKind::Identifier && is_new_keyword(token.text) {
            let word = token.text;
            let message = format!("`{word}` is a keyword of SystemVerilog, and no name");
            return Err(Diagnostic::error(codes::SYNTAX, message)
                .at(token.span, format!("{what} is missing here"))
                .help(format!(
                    "rename it, or escape it wherever it stands: `\\{word} `, with a space behind \
                     it; `--frontend yosys` takes it for a name in files that end in .v"
                )));
        }
        if !plain && token.kind != TokenKind::Escaped {
            return Err(self.unexpected(what));
        }
        self.tokens.advance();
        Ok(Identifier {
            text: token.text.to_string(),
            span: token.span,
        })
    }

    pub(super) fn is_identifier(&self, ahead: usize) -> bool {
        let token = self.token_at(ahead);
        match token.kind {
            TokenKind::Identifier => !is_keyword(token.text),
            TokenKind::Escaped => true,
            _ => false,
        }
    }

    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        parse_in_source(&mut self.tokens)
    }

    /// `(expression)`
    pub(super) fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    /// Guards against nesting that no stack holds.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let span = self.token().span;
            return Err(Diagnostic::error(
                codes::NESTED_TOO_DEEPLY,
                format!("statements are nested more than {DEEPEST} levels deep"),
            )
            .at(span, "this one")
            .help("move the inner part into a function or a module of its own"));
        }
        self.depth += 1;
        let result = stack::recurse(|| read(self));
        self.depth -= 1;
        result
    }

    /// `: name` behind `begin`, `endmodule` and the like.
    pub(super) fn label(&mut self) -> Parsed<Option<Identifier>> {
        if self.take_symbol(":") {
            self.identifier("a name").map(Some)
        } else {
            Ok(None)
        }
    }

    /// One item, which may stand for several.
    pub(super) fn items(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.tokens.position();
        let read = self.nested(|parser| parser.item(items));
        let given = std::mem::take(&mut self.given);
        match read {
            Err(problem) => self.leave_out(start, problem),
            Ok(()) => {
                items.extend(given.into_iter().map(|declaration| Item {
                    span: declaration.name.span,
                    kind: ItemKind::PropertyDeclaration(declaration),
                }));
                Ok(())
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.token().span;
        let token = self.token();
        if let TokenKind::Invalid(problem) = &token.kind {
            return Err((**problem).clone());
        }
        if self.take_symbol(";") {
            return Ok(());
        }
        if token.kind == TokenKind::System {
            return self.system_item(items);
        }
        if token.kind != TokenKind::Identifier && token.kind != TokenKind::Escaped {
            return Err(self.unexpected("an item of a module"));
        }
        let word = match token.kind {
            TokenKind::Identifier => token.text,
            _ => "",
        };
        let kind = match word {
            _ if self.at_assertion() => ItemKind::Assertion(self.assertion()?),
            _ if GateKind::of(word).is_some() => return self.gates(items),
            "property" | "sequence" => ItemKind::PropertyDeclaration(self.property_declaration()?),
            "let" => ItemKind::Let(self.let_declaration()?),
            "default" => self.default_item()?,
            "generate" => {
                self.tokens.advance();
                while !self.at("endgenerate") {
                    if self.token().kind == TokenKind::End || self.at("endmodule") {
                        self.expect_word("endgenerate", start)?;
                    }
                    self.items(items)?;
                }
                self.tokens.advance();
                return Ok(());
            }
            "parameter" | "localparam" | "specparam" => return self.parameter_items(items),
            "rand" => return self.free_item(items),
            "assign" => self.continuous_assignment()?,
            "always" | "always_comb" | "always_ff" | "always_latch" => self.always()?,
            "initial" => {
                self.tokens.advance();
                ItemKind::Initial(self.statement()?)
            }
            "typedef" => self.type_definition()?,
            "function" | "task" => ItemKind::Routine(self.routine()?),
            "bind" => ItemKind::Bind(self.bind()?),
            "defparam" => return self.define_parameters(items),
            "import" => return self.imports(items),
            "for" => self.generate_for()?,
            "if" => self.generate_if()?,
            "case" => self.generate_case()?,
            "begin" => ItemKind::GenerateBlock(self.generate_block()?),
            "input" | "output" | "inout" | "wire" | "tri" | "reg" | "logic" | "bit" | "var"
            | "integer" | "int" | "byte" | "shortint" | "longint" | "genvar" | "enum"
            | "struct" | "union" | "signed" | "unsigned" | "uwire" | "supply0" | "supply1"
            | "time" | "const" | "static" | "automatic" | "wand" | "wor" | "triand" | "trior" => {
                ItemKind::Declaration(self.declaration()?)
            }
            "export" if !self.token_at(1).is_text() => self.export()?,
            "final" => {
                // It runs when a simulation ends, which a circuit does not.
                self.tokens.advance();
                self.statement()?;
                ItemKind::Nothing
            }
            _ if self.at_tristate() => return self.tristate_gates(items),
            "modport" => self.modport()?,
            "specify" => self.specify()?,
            "timeunit" | "timeprecision" => self.time_unit()?,
            "class" | "interface" | "clocking" | "covergroup" | "primitive" | "program"
            | "checker" | "real" | "realtime" | "shortreal" | "string" | "chandle" | "event"
            | "trireg" | "tri0" | "tri1" | "alias" | "export" | "extern" | "virtual"
            | "nettype" | "interconnect" | "pullup" | "pulldown" | "tran" | "tranif0"
            | "tranif1" | "rtran" | "rtranif0" | "rtranif1" | "nmos" | "pmos" | "cmos"
            | "rnmos" | "rpmos" | "rcmos" => {
                return Err(self.unsupported(&format!("`{word}` here")));
            }
            _ if self.is_identifier(0) => {
                if self.starts_typed_declaration() {
                    ItemKind::Declaration(self.declaration()?)
                } else if self.token_at(1).is_symbol(":")
                    && self.token_at(2).kind == TokenKind::Identifier
                {
                    return Err(self.unsupported("a labelled item"));
                } else {
                    ItemKind::Instance(self.instance()?)
                }
            }
            _ => return Err(self.unexpected("an item of a module")),
        };
        let span = start.to(self.last_span());
        items.push(Item { kind, span });
        Ok(())
    }

    /// `rand reg a;` and `rand const reg a;`, which Yosys has: what the environment chooses.
    fn free_item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        self.tokens.advance();
        let free = match self.at("const") {
            true => FreeValue::Constant,
            false => FreeValue::Sequence,
        };
        self.free_declaration(free, items)
    }

    fn free_declaration(&mut self, free: FreeValue, items: &mut Vec<Item>) -> Parsed<()> {
        let before = items.len();
        self.item(items)?;
        for item in &mut items[before..] {
            if let ItemKind::Declaration(declaration) = &mut item.kind {
                declaration.free = Some(free);
            }
        }
        Ok(())
    }

    /// An elaboration task, or a declaration behind an attribute of Yosys.
    fn system_item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let token = self.token();
        let start = token.span;
        let free = match token.text {
            "$anyconst" => Some(FreeValue::Constant),
            "$anyseq" => Some(FreeValue::Sequence),
            "$global_clock" => Some(FreeValue::GlobalClock),
            _ => None,
        };
        let kind = match (token.text, free) {
            (_, Some(free)) => {
                self.tokens.advance();
                return self.free_declaration(free, items);
            }
            ("$info" | "$warning", _) => {
                self.system_task()?;
                ItemKind::Nothing
            }
            ("$error" | "$fatal", _) => {
                self.system_task()?;
                ItemKind::ElaborationError
            }
            _ => return Err(self.unsupported("an elaboration system task")),
        };
        let span = start.to(self.last_span());
        items.push(Item { kind, span });
        Ok(())
    }

    /// `modport master (input a, output b);`: who drives what is found out from the modules.
    fn modport(&mut self) -> Parsed<ItemKind> {
        while !self.at_symbol(";") {
            // Functions and tasks of an interface are called through any of its modports.
            if self.at_any(&["export", "clocking"]) {
                return Err(self.unsupported(&format!("`{}` in a modport", self.token().text)));
            }
            if self.token().kind == TokenKind::End || self.at("endinterface") {
                self.expect(";")?;
            }
            self.tokens.advance();
        }
        self.tokens.advance();
        Ok(ItemKind::Nothing)
    }

    /// `specify ... endspecify` says how long signals take, which a circuit has no notion of.
    fn specify(&mut self) -> Parsed<ItemKind> {
        let start = self.token().span;
        while !self.at("endspecify") {
            if self.token().kind == TokenKind::End || self.at("endmodule") {
                self.expect_word("endspecify", start)?;
            }
            self.tokens.advance();
        }
        self.tokens.advance();
        self.delays.push(start.to(self.last_span()));
        Ok(ItemKind::Nothing)
    }

    fn time_unit(&mut self) -> Parsed<ItemKind> {
        while self.token().kind != TokenKind::End && !self.at_symbol(";") {
            self.tokens.advance();
        }
        self.expect(";")?;
        Ok(ItemKind::Nothing)
    }

    /// `state_t a, b;` and not `module_name u0 (...)`.
    fn starts_typed_declaration(&self) -> bool {
        let mut ahead = 1;
        while self.token_at(ahead).is_symbol("::") && self.is_identifier(ahead + 1) {
            ahead += 2;
        }
        if self.token_at(ahead).is_symbol("[") {
            return true;
        }
        self.is_identifier(ahead)
            && matches!(
                self.token_at(ahead + 1).kind,
                TokenKind::Symbol("," | ";" | "=" | "[")
            )
            && !self.is_instance_array(ahead)
    }

    /// `module_name u [3:0] (...)`
    fn is_instance_array(&self, name: usize) -> bool {
        let mut ahead = name + 1;
        if !self.token_at(ahead).is_symbol("[") {
            return false;
        }
        let mut depth = 0;
        loop {
            match self.token_at(ahead).kind {
                TokenKind::Symbol("[") => depth += 1,
                TokenKind::Symbol("]") => depth -= 1,
                TokenKind::Symbol("(") if depth == 0 => return true,
                TokenKind::Symbol(";" | "," | "=") if depth == 0 => return false,
                TokenKind::End => return false,
                _ => {}
            }
            ahead += 1;
        }
    }

    fn parameter_items(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.token().span;
        let local = !self.at("parameter");
        self.tokens.advance();
        let of_types = self.take("type");
        let mut data_type = None;
        if !of_types && !self.starts_untyped_parameter() {
            data_type = self.parameter_type()?;
        }
        loop {
            let parameter = self.parameter(local, of_types, data_type.clone())?;
            let span = start.to(self.last_span());
            let kind = ItemKind::Parameter(parameter);
            items.push(Item { kind, span });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    fn define_parameters(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.token().span;
        self.tokens.advance();
        loop {
            let path = self.target()?;
            self.expect("=")?;
            let value = self.expression()?;
            let kind = ItemKind::DefineParameter(path, value);
            let span = start.to(self.last_span());
            items.push(Item { kind, span });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    fn imports(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.token().span;
        self.tokens.advance();
        if self.token().is_text() {
            return Err(self
                .unsupported("a function of another language")
                .help("leave it out of the design, for example with `ifndef FORMAL`"));
        }
        loop {
            let package = self.identifier("the name of a package")?;
            self.expect("::")?;
            let name = if self.take_symbol("*") {
                None
            } else {
                Some(self.identifier("a name of the package")?)
            };
            let kind = ItemKind::Import(package, name);
            let span = start.to(self.last_span());
            items.push(Item { kind, span });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    /// `export package::*;`: who imports a package sees what that imports, too.
    fn export(&mut self) -> Parsed<ItemKind> {
        self.tokens.advance();
        while self.token().kind != TokenKind::End && !self.at_symbol(";") {
            self.tokens.advance();
        }
        self.expect(";")?;
        Ok(ItemKind::Nothing)
    }

    fn continuous_assignment(&mut self) -> Parsed<ItemKind> {
        self.tokens.advance();
        self.strength()?;
        self.delay()?;
        let mut assignments = Vec::new();
        loop {
            let start = self.token().span;
            let target = self.target()?;
            self.expect("=")?;
            let value = self.expression()?;
            assignments.push(Assignment {
                target,
                value,
                span: start.to(self.last_span()),
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(ItemKind::Assign(assignments))
    }
}

pub(super) fn unsupported(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(codes::UNSUPPORTED, format!("{what} is not supported"))
        .at(span, "this part of the language is not read")
}
