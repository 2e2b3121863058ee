//! The atoms of properties for many designs that have the same words.
//!
//! Edited designs differ in what their signals compute, hardly ever in which there are. So the
//! conditions are elaborated once, over an input for each bit of the words that they read, and
//! copied into each design with its own bits in place of the inputs.

use super::atom::word_named;
use super::{Elaborator, Named, Names};
use crate::design::literal::Literal;
use crate::design::netlist::{Design, InputKind, Word};
use crate::design::words;
use crate::expr::{Expr, ExprKind};
use crate::source::Diagnostic;

/// Conditions as gates over words.
pub struct SharedAtoms {
    circuit: Design,
    words: Vec<SharedWord>,
    atoms: Vec<Literal>,
}

/// A word that conditions read.
struct SharedWord {
    /// As it is in the design that the conditions were elaborated for.
    original: Word,
    /// What stands for its bits.
    inputs: Vec<Literal>,
}

impl SharedAtoms {
    /// The conditions over the words of a design; `None` if one means nothing there, or is a
    /// gate of this design.
    pub fn new(design: &Design, exprs: &[&Expr]) -> Option<SharedAtoms> {
        let is_gate = |expr: &&Expr| matches!(expr.kind, ExprKind::Net(_));
        if exprs.iter().any(is_gate) {
            return None;
        }
        let mut circuit = Design::new();
        let mut names = SharedNames {
            design,
            words: Vec::new(),
        };
        let mut atoms = Vec::new();
        for expr in exprs {
            let mut elaborator = Elaborator::new(&mut circuit, &mut names);
            let (bits, _) = elaborator.self_determined(expr).ok()?;
            atoms.push(words::reduce_or(&mut circuit, &bits));
        }
        Some(SharedAtoms {
            words: names.words,
            circuit,
            atoms,
        })
    }

    /// The conditions in a design; `None` if it does not have the words, or has them otherwise.
    pub fn in_design(&self, design: &mut Design) -> Option<Vec<Literal>> {
        let mut copies = vec![Literal::FALSE; self.circuit.len()];
        for word in &self.words {
            let own = design.signal(&word.original.name).ok()?;
            let is_alike = own.signed == word.original.signed
                && own.left == word.original.left
                && own.right == word.original.right
                && own.bits.len() == word.inputs.len();
            if !is_alike {
                return None;
            }
            for (input, bit) in word.inputs.iter().zip(&own.bits) {
                copies[input.node().index()] = *bit;
            }
        }
        let copy = |copies: &[Literal], literal: Literal| {
            copies[literal.node().index()].complement_if(literal.is_complemented())
        };
        // Gates come after what they read.
        for id in self.circuit.node_ids() {
            if let Some((left, right)) = self.circuit.gate(id) {
                let gate = design.and(copy(&copies, left), copy(&copies, right));
                copies[id.index()] = gate;
            }
        }
        Some(self.atoms.iter().map(|atom| copy(&copies, *atom)).collect())
    }
}

/// The names of a design, each bit of which becomes an input.
struct SharedNames<'d> {
    design: &'d Design,
    words: Vec<SharedWord>,
}

impl Names for SharedNames<'_> {
    fn named(&mut self, circuit: &mut Design, expr: &Expr) -> Result<Option<Named>, Diagnostic> {
        let Some(original) = word_named(self.design, expr)? else {
            return Ok(None);
        };
        let mut known = self.words.iter();
        let inputs = match known.find(|word| word.original.name == original.name) {
            Some(word) => word.inputs.clone(),
            None => {
                let bits = original.bits.iter();
                let new = |_| circuit.add_input(InputKind::Environment).literal();
                let inputs: Vec<Literal> = bits.map(new).collect();
                self.words.push(SharedWord {
                    original: original.clone(),
                    inputs: inputs.clone(),
                });
                inputs
            }
        };
        let word = Word {
            bits: inputs,
            ..original.clone()
        };
        Ok(Some(Named::Word(word, Vec::new())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::expression::elaborate_atom;
    use crate::design::simulate::Simulator;
    use crate::expr::parse_expression;
    use crate::random::Random;
    use crate::source::Sources;

    /// Words over inputs, in one order or another.
    fn design(names: &[&str]) -> Design {
        let mut design = Design::new();
        for name in names {
            let width = if *name == "flag" { 1 } else { 4 };
            let bits = (0..width).map(|index| {
                let id = design.add_input(InputKind::Environment);
                design.set_name(id, format!("{name}[{index}]"));
                id.literal()
            });
            let bits = bits.collect();
            design.add_word(Word {
                name: name.to_string(),
                signed: *name == "c",
                left: width - 1,
                right: 0,
                bits,
            });
        }
        design
    }

    fn conditions() -> Vec<Expr> {
        let texts = ["a + b > c & flag", "a[2] == b[1:0]", "c < -1 ? flag : &a"];
        let file = Sources::new().add("test", "");
        let parse = |text: &str| parse_expression(file, text).expect("an expression");
        texts.map(parse).into()
    }

    #[test]
    fn conditions_are_the_same_in_a_design_that_has_its_words_in_another_order() {
        let conditions = conditions();
        let exprs: Vec<&Expr> = conditions.iter().collect();
        let shared = SharedAtoms::new(&design(&["a", "b", "c", "flag"]), &exprs).expect("words");
        let mut other = design(&["flag", "c", "b", "a"]);
        let atoms = shared.in_design(&mut other).expect("the same words");
        let mut expected = Vec::new();
        for expr in &exprs {
            expected.push(elaborate_atom(&mut other, expr).expect("a condition"));
        }
        let mut simulator = Simulator::new(&other).expect("no loop");
        let mut random = Random::new(1);
        simulator.start(|_| 0);
        for _ in 0..32 {
            simulator.settle(|_| random.word());
            for (atom, expected) in atoms.iter().zip(&expected) {
                assert_eq!(simulator.value(*atom), simulator.value(*expected));
            }
        }
    }

    #[test]
    fn words_that_are_missing_or_of_another_sign_are_noticed() {
        let conditions = conditions();
        let exprs: Vec<&Expr> = conditions.iter().collect();
        let shared = SharedAtoms::new(&design(&["a", "b", "c", "flag"]), &exprs).expect("words");
        assert_eq!(shared.in_design(&mut design(&["a", "b", "c"])), None);
        let mut other = design(&["a", "b", "flag"]);
        let bits = other.signal("a").expect("a word").bits.clone();
        other.add_word(Word {
            name: "c".to_string(),
            signed: false,
            left: 3,
            right: 0,
            bits,
        });
        assert_eq!(shared.in_design(&mut other), None);
    }
}
