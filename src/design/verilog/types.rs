//! What a signal is made of, once all constants are known.

use crate::design::expression::{Named, Size, index_at, packed_width};
use crate::design::netlist::Word;
use crate::design::words::Bits;
use std::rc::Rc;

/// The shape of a signal. Its bits lie flat, the element with the right index first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub signed: bool,
    /// Whether its bits are 0 or 1 and never unknown, as those of `bit` and `int` are.
    pub two_state: bool,
    /// Outermost first; none for a single bit.
    pub packed: Vec<(i64, i64)>,
    /// Dimensions behind the name, outermost first.
    pub unpacked: Vec<(i64, i64)>,
    /// Of a packed structure, also where arrays of it are declared.
    pub fields: Option<Rc<Vec<Field>>>,
    /// Of an enumeration, also where arrays of it are declared.
    pub enumeration: Option<Rc<Enumeration>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Bits of one value.
    pub width: usize,
    /// The values with their names.
    pub members: Vec<(String, i64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub offset: usize,
    pub data: Type,
}

impl Type {
    pub fn bit() -> Type {
        Type {
            signed: false,
            two_state: false,
            packed: Vec::new(),
            unpacked: Vec::new(),
            fields: None,
            enumeration: None,
        }
    }

    pub fn vector(width: usize, signed: bool) -> Type {
        Type {
            signed,
            packed: vec![(width as i64 - 1, 0)],
            ..Type::bit()
        }
    }

    /// The types that have a word of their own.
    pub fn of_word(word: &str) -> Option<Type> {
        let two_state = Type {
            two_state: true,
            ..Type::bit()
        };
        let integer = |width| Type {
            two_state: true,
            ..Type::vector(width, true)
        };
        Some(match word {
            "logic" | "reg" => Type::bit(),
            "bit" => two_state,
            "byte" => integer(8),
            "shortint" => integer(16),
            "int" => integer(32),
            "longint" => integer(64),
            "integer" => Type::vector(32, true),
            "time" => Type::vector(64, false),
            _ => return None,
        })
    }

    /// Bits of one element.
    pub fn element_width(&self) -> usize {
        packed_width(&self.packed)
    }

    /// Bits of all elements.
    pub fn width(&self) -> usize {
        packed_width(&self.unpacked) * self.element_width()
    }

    pub fn size(&self) -> Size {
        Size {
            width: self.element_width(),
            signed: self.signed,
        }
    }

    /// Gives flat bits the shape of this type.
    pub fn shape(&self, name: &str, bits: &[crate::design::Literal]) -> Named {
        self.shape_from(name, bits, 0)
    }

    fn shape_from(&self, name: &str, bits: &[crate::design::Literal], depth: usize) -> Named {
        let Some(&(left, right)) = self.unpacked.get(depth) else {
            return self.word(name, bits.to_vec());
        };
        let step = packed_width(&self.unpacked[depth + 1..]) * self.element_width();
        let elements = bits.chunks(step).enumerate().map(|(position, bits)| {
            let index = index_at((left, right), position);
            self.shape_from(&format!("{name}[{index}]"), bits, depth + 1)
        });
        Named::Array {
            left,
            right,
            elements: elements.collect(),
        }
    }

    fn word(&self, name: &str, bits: Bits) -> Named {
        let (left, right) = self.packed.first().copied().unwrap_or((0, 0));
        let inner = self.packed.get(1..).unwrap_or(&[]).to_vec();
        let word = Word {
            name: name.to_string(),
            signed: self.signed,
            left,
            right,
            bits,
        };
        Named::Word(word, inner)
    }

    /// Whether it is one structure, and no array of them.
    pub fn is_structure(&self) -> bool {
        self.fields.is_some() && self.unpacked.is_empty() && self.packed.len() == 1
    }

    pub fn field(&self, name: &str) -> Option<&Field> {
        let fields = self.fields.as_ref().filter(|_| self.is_structure());
        fields?.iter().find(|field| field.name == name)
    }

    /// The enumeration that it is; none if it is an array of them.
    pub fn as_enumeration(&self) -> Option<&Rc<Enumeration>> {
        let enumeration = self.enumeration.as_ref()?;
        let is_one = self.unpacked.is_empty() && self.element_width() == enumeration.width;
        is_one.then_some(enumeration)
    }

    /// The type of an element, and the range of the index that selects it; none for a bit.
    pub fn element(&self) -> Option<(Type, (i64, i64))> {
        let mut data = self.clone();
        if self.is_structure() {
            data.fields = None;
        }
        if self.as_enumeration().is_some() {
            data.enumeration = None;
        }
        let range = match (data.unpacked.is_empty(), data.packed.is_empty()) {
            (false, _) => data.unpacked.remove(0),
            (true, false) => data.packed.remove(0),
            (true, true) => return None,
        };
        let is_bit = data.unpacked.is_empty() && data.packed.is_empty();
        if is_bit && data.enumeration.is_none() {
            data = Type::bit();
        }
        Some((data, range))
    }
}
