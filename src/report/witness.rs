//! Answers in the witness format of AIGER 1.9 [AIGER19, Sec. 4]: for each property a line
//! with 0, 1 or 2 (holds, fails, not known), a line with its name in the file, and for one
//! that fails the values of the latches in the first step and of the inputs in each.
//! An infinite run is given by the steps up to the end of its first round.

use std::fmt::Write;

/// What is said of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    Holds,
    Unknown,
    /// In the order of the file.
    Fails {
        initial: Vec<bool>,
        inputs: Vec<Vec<bool>>,
    },
}

/// The text of a witness file. Properties have names such as `b0` or `j1`.
pub fn witnesses<'a>(properties: impl IntoIterator<Item = (&'a str, &'a Witness)>) -> String {
    let mut text = String::new();
    for (name, witness) in properties {
        let answer = match witness {
            Witness::Holds => 0,
            Witness::Fails { .. } => 1,
            Witness::Unknown => 2,
        };
        let _ = writeln!(text, "{answer}\n{name}");
        if let Witness::Fails { initial, inputs } = witness {
            let _ = writeln!(text, "{}", line(initial));
            for values in inputs {
                let _ = writeln!(text, "{}", line(values));
            }
        }
        text.push_str(".\n");
    }
    text
}

fn line(values: &[bool]) -> String {
    values
        .iter()
        .map(|value| if *value { '1' } else { '0' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_property_has_its_stimulus() {
        let fails = Witness::Fails {
            initial: vec![false, true],
            inputs: vec![vec![true], vec![false]],
        };
        let text = witnesses([("b0", &fails), ("j0", &Witness::Holds)]);
        assert_eq!(text, "1\nb0\n01\n1\n0\n.\n0\nj0\n.\n");
    }
}
