//! Arrays of a specification as words of a module.
//!
//! Elements `a[0]`, `a[1]` and so on are variables of their own in a game, and in Verilog they
//! are slices of one word `a`: the element with the lowest index has the lowest bits, and of
//! several indices the last one counts first. Names that look like elements and are not all of
//! an array stay as they are.

use super::circuit::Port;
use crate::design::{Design, Literal};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where the bits of a port are in a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    pub word: String,
    pub low: usize,
    /// Of the whole word.
    pub width: usize,
}

/// Ports that are elements of arrays, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrays {
    slices: HashMap<String, Slice>,
}

/// Elements with their indices, by the name of their array.
type Groups<'p> = BTreeMap<&'p str, Vec<(Vec<usize>, &'p Port)>>;

impl Arrays {
    /// The arrays of lists of ports; the elements of one are in the same list, and no port has
    /// its name.
    pub fn of(lists: &[&[Port]]) -> Arrays {
        let names = lists.iter().flat_map(|ports| ports.iter());
        let taken: HashSet<&str> = names.map(|port| port.name.as_str()).collect();
        let mut bases: HashMap<&str, usize> = HashMap::new();
        let mut groups: Vec<Groups<'_>> = Vec::new();
        for ports in lists {
            let mut own: Groups<'_> = BTreeMap::new();
            for port in *ports {
                if let Some((base, indices)) = element(&port.name) {
                    own.entry(base).or_default().push((indices, port));
                }
            }
            for base in own.keys() {
                *bases.entry(base).or_default() += 1;
            }
            groups.push(own);
        }
        let mut arrays = Arrays::default();
        for (base, elements) in groups.into_iter().flatten() {
            if bases[base] == 1 && !taken.contains(base) {
                arrays.add(base, elements);
            }
        }
        arrays
    }

    fn add(&mut self, base: &str, mut elements: Vec<(Vec<usize>, &Port)>) {
        // In order of their indices, elements of a whole array are numbered through.
        elements.sort_by(|left, right| left.0.cmp(&right.0));
        let (last, first) = match (elements.last(), elements.first()) {
            (Some((last, _)), Some((_, first))) => (last.clone(), *first),
            _ => return,
        };
        let count = last.iter().fold(1_usize, |count, index| {
            count.saturating_mul(index.saturating_add(1))
        });
        let number = |indices: &[usize]| {
            let each = indices.iter().zip(&last);
            each.fold(0_usize, |number, (index, last)| {
                number.saturating_mul(last + 1).saturating_add(*index)
            })
        };
        let is_whole = count == elements.len()
            && elements
                .iter()
                .enumerate()
                .all(|(wanted, (indices, port))| {
                    indices.len() == last.len()
                        && number(indices) == wanted
                        && port.meaning == first.meaning
                        && port.bits.len() == first.bits.len()
                });
        if !is_whole {
            return;
        }
        let width = first.bits.len();
        for (number, (_, port)) in elements.into_iter().enumerate() {
            let slice = Slice {
                word: base.to_string(),
                low: number * width,
                width: count * width,
            };
            self.slices.insert(port.name.clone(), slice);
        }
    }

    /// The slice that a port is, if it is an element of an array.
    pub fn slice(&self, port: &str) -> Option<&Slice> {
        self.slices.get(port)
    }

    /// The bits of a port in a design that has the words.
    pub fn bits<'d>(&self, port: &Port, design: &'d Design) -> Option<&'d [Literal]> {
        let slice = self.slice(&port.name)?;
        let word = design.signal(&slice.word).ok()?;
        let own = slice.low..slice.low + port.bits.len();
        (word.bits.len() == slice.width).then_some(&word.bits[own])
    }
}

/// The name of an array and the indices of an element, if a name reads like one.
fn element(name: &str) -> Option<(&str, Vec<usize>)> {
    let open = name.find('[')?;
    let (base, mut rest) = name.split_at(open);
    let mut indices = Vec::new();
    while !rest.is_empty() {
        let (digits, after) = rest.strip_prefix('[')?.split_once(']')?;
        let is_plain = digits == "0" || !digits.starts_with('0');
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        indices.push((is_plain && is_number).then(|| digits.parse().ok())??);
        rest = after;
    }
    (!base.is_empty()).then_some((base, indices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::circuit::Meaning;

    fn port(name: &str, width: usize) -> Port {
        let last = (1 << width) - 1;
        Port {
            name: name.to_string(),
            bits: vec![Literal::FALSE; width],
            meaning: Meaning::Number { first: 0, last },
        }
    }

    fn slice(arrays: &Arrays, name: &str) -> Option<(String, usize, usize)> {
        let slice = arrays.slice(name)?;
        Some((slice.word.clone(), slice.low, slice.width))
    }

    #[test]
    fn elements_are_slices_in_the_order_of_their_indices() {
        let ports = [
            port("a[1]", 2),
            port("b", 1),
            port("a[0]", 2),
            port("a[2]", 2),
        ];
        let arrays = Arrays::of(&[&ports]);
        assert_eq!(slice(&arrays, "a[0]"), Some(("a".to_string(), 0, 6)));
        assert_eq!(slice(&arrays, "a[2]"), Some(("a".to_string(), 4, 6)));
        assert_eq!(slice(&arrays, "b"), None);
    }

    #[test]
    fn the_last_of_several_indices_counts_first() {
        let names = [
            "m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]", "m[2][0]", "m[2][1]",
        ];
        let ports = names.map(|name| port(name, 1));
        let arrays = Arrays::of(&[&ports]);
        assert_eq!(slice(&arrays, "m[1][0]"), Some(("m".to_string(), 2, 6)));
        assert_eq!(slice(&arrays, "m[0][1]"), Some(("m".to_string(), 1, 6)));
    }

    #[test]
    fn what_is_not_a_whole_array_stays_as_it_is() {
        for names in [
            &["a[0]", "a[2]"][..],
            &["a[0]", "a[01]"],
            &["a[0]", "a[1]", "a"],
            &["a[0]", "a[1][0]"],
            &["[0]", "[1]"],
        ] {
            let ports: Vec<Port> = names.iter().map(|name| port(name, 1)).collect();
            assert_eq!(slice(&Arrays::of(&[&ports]), names[1]), None, "{names:?}");
        }
        let (inputs, outputs) = ([port("a[0]", 1)], [port("a[1]", 1)]);
        assert_eq!(slice(&Arrays::of(&[&inputs, &outputs]), "a[0]"), None);
    }
}
