//! Integers as words of functions, in two's complement: the last bit is the sign.
//!
//! Every operation makes its result wide enough, so nothing overflows.

use crate::bdd::{Bdd, Manager, Result};
use crate::spec::gr1::Arithmetic;

pub(super) struct Word {
    /// Never empty.
    bits: Vec<Bdd>,
}

impl Word {
    pub fn constant(value: i64, manager: &Manager) -> Word {
        let width = 65 - value.unsigned_abs().leading_zeros() as usize;
        let bits = (0..width).map(|index| manager.constant(value >> index.min(63) & 1 == 1));
        Word {
            bits: bits.collect(),
        }
        .trimmed()
    }

    /// A number that is never negative.
    pub fn unsigned(mut bits: Vec<Bdd>, manager: &Manager) -> Word {
        bits.push(manager.zero());
        Word { bits }
    }

    fn manager(&self) -> &Manager {
        self.bits[0].manager()
    }

    fn sign(&self) -> &Bdd {
        &self.bits[self.bits.len() - 1]
    }

    fn bit(&self, index: usize) -> &Bdd {
        self.bits.get(index).unwrap_or_else(|| self.sign())
    }

    /// Without copies of the sign.
    fn trimmed(mut self) -> Word {
        while self.bits.len() > 1 && self.bits[self.bits.len() - 2] == *self.sign() {
            self.bits.pop();
        }
        self
    }

    pub fn equal(&self, other: &Word) -> Result<Bdd> {
        let mut equal = self.manager().one();
        for index in 0..self.bits.len().max(other.bits.len()) {
            equal = equal.and(&self.bit(index).iff(other.bit(index))?)?;
        }
        Ok(equal)
    }

    pub fn less(&self, other: &Word) -> Result<Bdd> {
        Ok(self.subtract(other)?.sign().clone())
    }

    pub fn apply(&self, operator: Arithmetic, other: &Word) -> Result<Word> {
        match operator {
            Arithmetic::Add => self.add(other),
            Arithmetic::Subtract => self.subtract(other),
            Arithmetic::Multiply => self.multiply(other),
            Arithmetic::Divide => Ok(self.divide(other)?.0),
            Arithmetic::Modulo => Ok(self.divide(other)?.1),
        }
    }

    pub fn add(&self, other: &Word) -> Result<Word> {
        self.add_with(other, false)
    }

    fn subtract(&self, other: &Word) -> Result<Word> {
        self.add_with(other, true)
    }

    fn add_with(&self, other: &Word, subtract: bool) -> Result<Word> {
        let mut carry = self.manager().constant(subtract);
        let mut bits = Vec::new();
        for index in 0..=self.bits.len().max(other.bits.len()) {
            let left = self.bit(index);
            let right = if subtract {
                other.bit(index).not()
            } else {
                other.bit(index).clone()
            };
            let half = left.xor(&right)?;
            bits.push(half.xor(&carry)?);
            carry = half.ite(&carry, left)?;
        }
        Ok(Word { bits }.trimmed())
    }

    fn negate(&self) -> Result<Word> {
        Word::constant(0, self.manager()).subtract(self)
    }

    /// `if condition then self else other`
    fn choose(&self, condition: &Bdd, other: &Word) -> Result<Word> {
        let width = self.bits.len().max(other.bits.len());
        let bits: Result<Vec<Bdd>> = (0..width)
            .map(|index| condition.ite(self.bit(index), other.bit(index)))
            .collect();
        Ok(Word { bits: bits? }.trimmed())
    }

    fn shifted(&self, count: usize) -> Word {
        let mut bits = vec![self.manager().zero(); count];
        bits.extend(self.bits.iter().cloned());
        Word { bits }
    }

    fn magnitude(&self) -> Result<Word> {
        self.negate()?.choose(self.sign(), self)
    }

    fn multiply(&self, other: &Word) -> Result<Word> {
        let zero = Word::constant(0, self.manager());
        let mut product = zero.choose(&self.manager().one(), &zero)?;
        let sign_index = other.bits.len() - 1;
        for (index, bit) in other.bits.iter().enumerate() {
            let part = self.shifted(index).choose(bit, &zero)?;
            // The sign counts negatively.
            product = product.add_with(&part, index == sign_index)?;
        }
        Ok(product)
    }

    /// Quotient, rounded towards zero, and remainder; both are 0 for a division by zero.
    fn divide(&self, other: &Word) -> Result<(Word, Word)> {
        let manager = self.manager().clone();
        let zero = Word::constant(0, &manager);
        let (dividend, divisor) = (self.magnitude()?, other.magnitude()?);
        let mut rest = Word::constant(0, &manager);
        let mut quotient = vec![manager.zero(); dividend.bits.len()];
        for index in (0..dividend.bits.len()).rev() {
            let mut bits = vec![dividend.bit(index).clone()];
            bits.extend(rest.bits.iter().cloned());
            rest = Word { bits };
            let fits = rest.less(&divisor)?.not();
            rest = rest.subtract(&divisor)?.choose(&fits, &rest)?;
            quotient[index] = fits;
        }
        let quotient = Word::unsigned(quotient, &manager);
        let by_zero = other.equal(&zero)?;
        let opposite = self.sign().xor(other.sign())?;
        let quotient = quotient.negate()?.choose(&opposite, &quotient)?;
        let rest = rest.negate()?.choose(self.sign(), &rest)?;
        Ok((
            zero.choose(&by_zero, &quotient)?,
            zero.choose(&by_zero, &rest)?,
        ))
    }
}
