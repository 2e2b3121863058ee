//! Data types and declarations.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::expr::token::TokenKind;
use crate::expr::{Expr, ExprKind, Number};
use crate::source::Diagnostic;

/// Values that a range of an enumeration stands for.
const MOST_VALUES: usize = 1 << 12;

impl Parser<'_, '_> {
    /// One bit, as where no type is written.
    pub(super) fn implicit_type(&self) -> DataType {
        DataType {
            kind: TypeKind::Logic,
            is_implicit: true,
            two_state: false,
            signed: None,
            dimensions: Vec::new(),
            span: self.token().span,
        }
    }

    /// A type if one is written before a name.
    pub(super) fn optional_type(&mut self) -> Parsed<Option<DataType>> {
        let net = self.net_keyword();
        let named = self.is_identifier(0)
            && (self.is_identifier(1)
                || self.token_at(1).is_symbol("::")
                || self.token_at(1).is_symbol("["));
        // `a [3:0]` is a name with a dimension of its own, `state_t a` is not.
        let named = named && (!self.token_at(1).is_symbol("[") || self.is_name_behind_brackets());
        let typed = self.at_symbol("[")
            || self.at_any(&[
                "reg", "logic", "bit", "signed", "unsigned", "integer", "int", "byte", "shortint",
                "longint", "time", "enum", "struct", "var", "union", "real", "string",
            ]);
        if typed || named {
            return self.data_type().map(Some);
        }
        let _ = net;
        Ok(None)
    }

    fn is_name_behind_brackets(&self) -> bool {
        let mut ahead = 1;
        let mut depth = 0;
        loop {
            match self.token_at(ahead).kind {
                TokenKind::Symbol("[") => depth += 1,
                TokenKind::Symbol("]") => {
                    depth -= 1;
                    if depth == 0 && !self.token_at(ahead + 1).is_symbol("[") {
                        return self.is_identifier(ahead + 1);
                    }
                }
                TokenKind::End => return false,
                _ => {}
            }
            ahead += 1;
        }
    }

    /// `wire` and its kin.
    fn net_keyword(&mut self) -> bool {
        self.take("wire")
            || self.take("tri")
            || self.take("uwire")
            || self.take("wand")
            || self.take("wor")
            || self.take("triand")
            || self.take("trior")
    }

    pub(super) fn data_type(&mut self) -> Parsed<DataType> {
        let start = self.token().span;
        self.take("var");
        let word = match self.token().kind {
            TokenKind::Identifier => self.token().text,
            _ => "",
        };
        let integer = match word {
            "integer" | "int" => Some((32, true)),
            "byte" => Some((8, true)),
            "shortint" => Some((16, true)),
            "longint" => Some((64, true)),
            "time" => Some((64, false)),
            _ => None,
        };
        let mut is_signed = None;
        let kind = match word {
            _ if integer.is_some() => {
                self.tokens.advance();
                let (width, signed) = integer.unwrap_or((32, true));
                TypeKind::Integer(width, signed)
            }
            "reg" | "logic" | "bit" => {
                self.tokens.advance();
                TypeKind::Logic
            }
            "enum" => self.enumeration()?,
            "struct" | "union" => {
                let (kind, written) = self.structure()?;
                is_signed = written;
                kind
            }
            "real" | "shortreal" | "realtime" | "string" | "chandle" | "event" => {
                return Err(self.unsupported(&format!("the type `{word}`")));
            }
            _ if self.is_identifier(0) => {
                let mut path = vec![self.identifier("a type")?];
                while self.take_symbol("::") {
                    path.push(self.identifier("a type")?);
                }
                TypeKind::Named(path)
            }
            _ => TypeKind::Logic,
        };
        let signed = if self.take("signed") {
            Some(true)
        } else if self.take("unsigned") {
            Some(false)
        } else {
            is_signed
        };
        let dimensions = self.dimensions()?;
        let two_state = matches!(word, "bit" | "int" | "byte" | "shortint" | "longint");
        Ok(DataType {
            is_implicit: matches!(kind, TypeKind::Logic)
                && !matches!(word, "reg" | "logic" | "bit"),
            kind,
            two_state,
            signed,
            dimensions,
            span: start.to(self.last_span()),
        })
    }

    fn enumeration(&mut self) -> Parsed<TypeKind> {
        self.tokens.advance();
        let base = if self.at_symbol("{") {
            None
        } else {
            Some(Box::new(self.data_type()?))
        };
        self.expect("{")?;
        let mut members = Vec::new();
        loop {
            let name = self.identifier("the name of a value")?;
            let indices = self.enumeration_range()?;
            let mut value = if self.take_symbol("=") {
                Some(self.expression()?)
            } else {
                None
            };
            match indices {
                None => members.push((name, value)),
                // The first one has the value, the others go on from there.
                Some(indices) => members.extend(indices.into_iter().map(|index| {
                    let text = format!("{}{index}", name.text);
                    let span = name.span;
                    (Identifier { text, span }, value.take())
                })),
            }
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(TypeKind::Enumeration { base, members })
    }

    /// `name[3]` stands for three values, `name[5:4]` for the two with these numbers.
    fn enumeration_range(&mut self) -> Parsed<Option<Vec<u32>>> {
        if !self.take_symbol("[") {
            return Ok(None);
        }
        let start = self.last_span();
        let mut bounds = vec![self.plain_number()?];
        if self.take_symbol(":") {
            bounds.push(self.plain_number()?);
        }
        let span = start.to(self.expect("]")?);
        let indices: Vec<u32> = match bounds.as_slice() {
            [left, right] if left > right => (*right..=*left).rev().collect(),
            [left, right] => (*left..=*right).collect(),
            [count] => (0..*count).collect(),
            _ => Vec::new(),
        };
        if indices.is_empty() || indices.len() > MOST_VALUES {
            let message = format!("{} values of an enumeration", indices.len());
            return Err(Diagnostic::error(codes::TOO_BIG, message)
                .at(span, format!("there can be 1 to {MOST_VALUES}")));
        }
        Ok(Some(indices))
    }

    fn plain_number(&mut self) -> Parsed<u32> {
        let Ok(number) = self.token().text.parse::<u32>() else {
            return Err(self
                .unsupported("a range of enumeration values by an expression")
                .help("write the number"));
        };
        if number > MOST_VALUES as u32 {
            let message = format!("{number} is too big here");
            return Err(Diagnostic::error(codes::TOO_BIG, message)
                .at(self.token().span, format!("the most is {MOST_VALUES}")));
        }
        self.tokens.advance();
        Ok(number)
    }

    /// A structure or union, and the sign that is written behind `packed`.
    fn structure(&mut self) -> Parsed<(TypeKind, Option<bool>)> {
        let is_union = self.at("union");
        self.tokens.advance();
        // The order of the fields of one that is not packed is nobody's business, so it is the
        // same as that of a packed one. A union that is not packed has no bits in common.
        let is_packed = self.take("packed");
        if !is_packed && is_union {
            return Err(self
                .unsupported("a union that is not packed")
                .help("write `union packed`"));
        }
        let is_signed = self
            .at_any(&["signed", "unsigned"])
            .then(|| self.at("signed"));
        if is_signed.is_some() {
            self.tokens.advance();
        }
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.take_symbol("}") {
            let data_type = self.nested(Parser::data_type)?;
            let mut names = Vec::new();
            loop {
                let name = self.identifier("the name of a field")?;
                let dimensions = self.dimensions()?;
                if let Some(first) = dimensions.first().filter(|_| is_packed) {
                    let message = "a field of a packed type cannot be an array that is not packed";
                    return Err(Diagnostic::error(codes::SYNTAX, message)
                        .at(first.span, "this dimension")
                        .help("write the dimension before the name of the field"));
                }
                names.push((name, dimensions));
                if !self.take_symbol(",") {
                    break;
                }
            }
            self.expect(";")?;
            fields.push(FieldNames { data_type, names });
        }
        let kind = match is_union {
            true => TypeKind::Union(fields),
            false => TypeKind::Structure(fields),
        };
        Ok((kind, is_signed))
    }

    /// `[7:0][3:0]`
    pub(super) fn dimensions(&mut self) -> Parsed<Vec<Dimension>> {
        let mut dimensions = Vec::new();
        while self.at_symbol("[") {
            let start = self.token().span;
            self.tokens.advance();
            if self.at_symbol("]") || self.at_symbol("*") || self.at_symbol("$") {
                return Err(self.unsupported("an array without a fixed size"));
            }
            let left = self.expression()?;
            let right = if self.take_symbol(":") {
                Some(self.expression()?)
            } else {
                None
            };
            let end = self.expect("]")?;
            dimensions.push(Dimension {
                left,
                right,
                span: start.to(end),
            });
        }
        Ok(dimensions)
    }

    pub(super) fn type_definition(&mut self) -> Parsed<ItemKind> {
        self.tokens.advance();
        let data_type = self.data_type()?;
        let name = self.identifier("the name of a type")?;
        let dimensions = self.dimensions()?;
        self.expect(";")?;
        Ok(ItemKind::TypeDefinition(name, data_type, dimensions))
    }

    /// Ports, nets and variables, with the semicolon.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let mut declaration = Declaration {
            direction: None,
            is_net: false,
            is_genvar: false,
            resolution: None,
            free: None,
            data_type: None,
            names: Vec::new(),
        };
        while self.take("automatic") || self.take("static") || self.take("const") {}
        if self.at("ref") {
            return Err(self
                .unsupported("a port of this direction")
                .help("use an input and an output"));
        }
        if self.take("inout") {
            declaration.direction = Some(Direction::Both);
        } else if self.take("input") {
            declaration.direction = Some(Direction::Input);
        } else if self.take("output") {
            declaration.direction = Some(Direction::Output);
        }
        if self.take("genvar") {
            declaration.is_genvar = true;
        }
        let supply = match self.token() {
            token if token.is_word("supply0") => Some(false),
            token if token.is_word("supply1") => Some(true),
            _ => None,
        };
        if supply.is_some() {
            self.tokens.advance();
            declaration.is_net = true;
        }
        declaration.resolution = match self.token() {
            token if token.is_word("wand") || token.is_word("triand") => Some(Resolution::And),
            token if token.is_word("wor") || token.is_word("trior") => Some(Resolution::Or),
            _ => None,
        };
        let before = self.tokens.position();
        declaration.is_net |= self.net_keyword();
        self.tokens.go_to(before);
        let has_strength = declaration.is_net && {
            let net = self.tokens.position();
            self.net_keyword();
            let found = self.at_symbol("(");
            self.strength()?;
            if !found {
                self.tokens.go_to(net);
            }
            found
        };
        if has_strength && declaration.resolution.is_some() {
            return Err(self.unsupported("a drive strength of such a net"));
        }
        declaration.data_type = self.optional_type()?;
        if declaration.direction.is_some() && declaration.data_type.is_none() {
            declaration.is_net = true;
        }
        self.delay()?;
        loop {
            let name = self.identifier("a name")?;
            let dimensions = self.dimensions()?;
            let value = if self.take_symbol("=") {
                Some(self.expression()?)
            } else {
                supply.map(|value| Expr {
                    kind: match value {
                        true => ExprKind::AllOnes,
                        false => ExprKind::Number(Number::bit(false)),
                    },
                    span: None,
                })
            };
            declaration.names.push(Declarator {
                name,
                dimensions,
                value,
            });
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(declaration)
    }
}
