//! Random programs over a manager, and their text form, which reads back.
//!
//! ```text
//! variables 3 of 5
//! limit 0 12
//! and r2 r0 r1
//! exists r3 r2 {101}
//! reorder
//! ```
//!
//! A program has [`REGISTERS`] registers, which begin as the first variables. Every
//! operand is taken modulo what there is, so any part of a program is a program too:
//! that is what makes shrinking simple. A set shows the variable 0 rightmost.

use crate::random::Random;
use std::fmt;
use std::str::FromStr;

pub const REGISTERS: usize = 8;

/// What an operand stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A register, read or written.
    Register,
    Variable,
    /// A set of variables, one bit each.
    Set,
    /// A number below this.
    Number(u32),
}

macro_rules! actions {
    ($($action:ident $name:literal $weight:literal [$($kind:expr),*];)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Action { $($action),* }

        impl Action {
            pub const ALL: &[Action] = &[$(Action::$action),*];

            pub fn name(self) -> &'static str {
                match self { $(Action::$action => $name),* }
            }

            /// How often a random program does this, relative to the others.
            fn weight(self) -> usize {
                match self { $(Action::$action => $weight),* }
            }

            pub fn kinds(self) -> &'static [Kind] {
                use Kind::*;
                match self { $(Action::$action => &[$($kind),*]),* }
            }
        }
    };
}

// The first register is the one that is written, if there is one.
actions! {
    NewVariable "new" 3 [];
    Literal "literal" 4 [Register, Variable, Number(2)];
    Constant "constant" 1 [Register, Number(2)];
    Cube "cube" 2 [Register, Set, Set];
    // The exclusive or of so many random cubes and one, each of up to four literals.
    Sum "sum" 14 [Register, Number(24), Number(1 << 20)];
    Not "not" 4 [Register, Register];
    And "and" 10 [Register, Register, Register];
    Or "or" 10 [Register, Register, Register];
    Xor "xor" 10 [Register, Register, Register];
    Iff "iff" 4 [Register, Register, Register];
    Implies "implies" 4 [Register, Register, Register];
    Minus "minus" 4 [Register, Register, Register];
    Ite "ite" 10 [Register, Register, Register, Register];
    Exists "exists" 5 [Register, Register, Set];
    Forall "forall" 5 [Register, Register, Set];
    AndExists "and_exists" 6 [Register, Register, Register, Set];
    OrForall "or_forall" 5 [Register, Register, Register, Set];
    // Replaces variables of the first set by the registers from the given one on.
    Substitution "substitution" 3 [Number(2), Register, Set];
    // Replaces variables of the first set by those of the second.
    Renaming "renaming" 3 [Number(2), Set, Set];
    Compose "compose" 6 [Register, Register, Number(2)];
    // The variables of the first set get the values in the second.
    Cofactor "cofactor" 4 [Register, Register, Set, Set];
    Constrain "constrain" 5 [Register, Register, Register];
    Minimize "minimize" 5 [Register, Register, Register];
    // A cover between the second register and its disjunction with the third.
    Cover "cover" 4 [Register, Register, Register];
    Compare "compare" 5 [Register, Register];
    Inspect "inspect" 4 [Register, Number(1 << 20)];
    Text "text" 2 [Register, Register];
    Clone "clone" 3 [Register, Register];
    Drop "drop" 2 [Register];
    Collect "collect" 2 [];
    Reorder "reorder" 2 [];
    ReorderUntilStable "reorder_until_stable" 1 [];
    SetOrder "set_order" 2 [Number(1 << 20)];
    // A group from the given level on, of so many variables and two.
    Group "group" 1 [Variable, Number(3)];
    // Automatic reordering at so many nodes, or none at 0; which growth; no time at 0.
    Automatic "automatic" 2 [Number(150), Number(3), Number(8)];
    // Nodes, memory, an expired deadline, an interrupt; and how much more than there is.
    Limit "limit" 3 [Number(4), Number(150)];
    Unlimit "unlimit" 3 [];
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub action: Action,
    pub operands: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// How many variables there are at the beginning.
    pub initial: usize,
    /// How many there can be in the end.
    pub variables: usize,
    pub instructions: Vec<Instruction>,
}

impl Program {
    pub fn random(seed: u64, variables: usize, length: usize) -> Program {
        let random = &mut Random::new(seed);
        let fewer = random.below(4).min(variables - 1);
        let mut instructions = Vec::new();
        if random.below(3) > 0 {
            instructions.push(Instruction::random(random, Action::Automatic));
        }
        for _ in 0..4 {
            instructions.push(Instruction::random(random, Action::Sum));
        }
        let weights: usize = Action::ALL.iter().map(|action| action.weight()).sum();
        while instructions.len() < length {
            let mut ticket = random.below(weights);
            for &action in Action::ALL {
                if ticket < action.weight() {
                    instructions.push(Instruction::random(random, action));
                    break;
                }
                ticket -= action.weight();
            }
        }
        Program {
            initial: variables - fewer,
            variables,
            instructions,
        }
    }
}

impl Instruction {
    fn random(random: &mut Random, action: Action) -> Instruction {
        let operand = |kind: &Kind| match kind {
            Kind::Register => random.below(REGISTERS) as u32,
            Kind::Variable => random.below(32) as u32,
            // About a quarter of the variables.
            Kind::Set => (random.word() & random.word()) as u32,
            Kind::Number(bound) => random.below(*bound as usize) as u32,
        };
        Instruction {
            action,
            operands: action.kinds().iter().map(operand).collect(),
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.action.name())?;
        for (operand, kind) in self.operands.iter().zip(self.action.kinds()) {
            match kind {
                Kind::Register => write!(formatter, " r{operand}")?,
                Kind::Variable => write!(formatter, " x{operand}")?,
                Kind::Set => write!(formatter, " {{{operand:b}}}")?,
                Kind::Number(_) => write!(formatter, " {operand}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Instruction {
    type Err = String;

    fn from_str(line: &str) -> Result<Instruction, String> {
        let wrong = || format!("not an instruction: '{line}'");
        let mut words = line.split_whitespace();
        let name = words.next().ok_or_else(wrong)?;
        let action = *Action::ALL
            .iter()
            .find(|action| action.name() == name)
            .ok_or_else(wrong)?;
        let mut operands = Vec::new();
        for kind in action.kinds() {
            let word = words.next().ok_or_else(wrong)?;
            let (word, radix) = match kind {
                Kind::Register => (word.strip_prefix('r'), 10),
                Kind::Variable => (word.strip_prefix('x'), 10),
                Kind::Set => (
                    word.strip_prefix('{')
                        .and_then(|word| word.strip_suffix('}')),
                    2,
                ),
                Kind::Number(_) => (Some(word), 10),
            };
            let word = word.ok_or_else(wrong)?;
            operands.push(u32::from_str_radix(word, radix).map_err(|_| wrong())?);
        }
        if words.next().is_some() {
            return Err(wrong());
        }
        Ok(Instruction { action, operands })
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "variables {} of {}",
            self.initial, self.variables
        )?;
        for instruction in &self.instructions {
            writeln!(formatter, "{instruction}")?;
        }
        Ok(())
    }
}

impl FromStr for Program {
    type Err = String;

    fn from_str(text: &str) -> Result<Program, String> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let header: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
        let ["variables", initial, "of", variables] = header[..] else {
            return Err("expected 'variables N of M'".to_string());
        };
        let number = |word: &str| word.parse().map_err(|_| format!("not a number: '{word}'"));
        Ok(Program {
            initial: number(initial)?,
            variables: number(variables)?,
            instructions: lines.map(Instruction::from_str).collect::<Result<_, _>>()?,
        })
    }
}

#[test]
fn a_program_reads_back_from_its_text() {
    let program = Program::random(7, 9, 200);
    assert_eq!(program.to_string().parse(), Ok(program));
}
