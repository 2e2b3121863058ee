//! The JSON of a Yosys netlist, as it is written.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::marker::PhantomData;

/// A JSON object with its entries in the order of the file: that of ports matters.
#[derive(Debug)]
pub struct Ordered<T>(pub Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Ordered<T> {
        Ordered(Vec::new())
    }
}

impl<T> Ordered<T> {
    pub fn get(&self, name: &str) -> Option<&T> {
        let mut entries = self.0.iter();
        entries
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ordered<T>, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Ordered<T>;

            fn expecting(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
                output.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Ordered(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[derive(Debug, serde::Deserialize)]
pub struct Document {
    #[serde(default)]
    pub modules: Ordered<Module>,
}

#[derive(Debug, serde::Deserialize)]
pub struct Module {
    #[serde(default)]
    pub attributes: Ordered<Value>,
    #[serde(default)]
    pub ports: Ordered<Port>,
    #[serde(default)]
    pub cells: Ordered<Cell>,
    #[serde(default)]
    pub memories: Ordered<Value>,
    #[serde(default)]
    pub netnames: Ordered<NetName>,
}

#[derive(Debug, serde::Deserialize)]
pub struct Port {
    pub direction: String,
    pub bits: Vec<Bit>,
    #[serde(default)]
    pub offset: i64,
    #[serde(default)]
    pub upto: u8,
}

#[derive(Debug, serde::Deserialize)]
pub struct Cell {
    #[serde(default)]
    pub hide_name: u8,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub parameters: Ordered<Value>,
    #[serde(default)]
    pub attributes: Ordered<Value>,
    #[serde(default)]
    pub connections: Ordered<Vec<Bit>>,
}

#[derive(Debug, serde::Deserialize)]
pub struct NetName {
    #[serde(default)]
    pub hide_name: u8,
    pub bits: Vec<Bit>,
    #[serde(default)]
    pub attributes: Ordered<Value>,
    #[serde(default)]
    pub offset: i64,
    #[serde(default)]
    pub upto: u8,
    #[serde(default)]
    pub signed: u8,
}

/// The number of a net, or a constant: `"0"`, `"1"`, `"x"`, `"z"`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum Bit {
    Net(u64),
    Constant(String),
}

/// A number as Yosys writes it: an integer, or its digits in binary.
pub fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) if !text.is_empty() && text.len() <= 64 => {
            let known = text.chars().all(|digit| matches!(digit, '0' | '1'));
            let value = u64::from_str_radix(text, 2).ok().filter(|_| known)?;
            Some(value as i64)
        }
        _ => None,
    }
}

/// The digits of a constant, lowest first; `None` for an unknown one.
pub fn digits(value: &Value, width: usize) -> Vec<Option<bool>> {
    match value {
        Value::String(text) => {
            let digit = |symbol: char| match symbol {
                '0' => Some(false),
                '1' => Some(true),
                _ => None,
            };
            let mut digits: Vec<Option<bool>> = text.chars().rev().map(digit).collect();
            digits.resize(width, Some(false));
            digits
        }
        Value::Number(number) => {
            let value = number.as_i64().unwrap_or(0);
            (0..width)
                .map(|index| Some(value >> index.min(63) & 1 == 1))
                .collect()
        }
        _ => vec![None; width],
    }
}
