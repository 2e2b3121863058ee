//! Cells of combinational logic, from words to gates.
//!
//! The meaning of word-level cells is that of Yosys' cell library: operands are extended to
//! the width that the cell works in, by their sign if both are signed.

use super::document::{Cell, number};
use crate::design::literal::Literal;
use crate::design::netlist::Design;
use crate::design::words::{self, Bits, Shift};

/// The inputs of a cell by name, as literals.
pub type Inputs<'a> = &'a dyn Fn(&str) -> Bits;

/// The value of the output of a cell; `None` if the cell is not one of these.
pub fn value(design: &mut Design, cell: &Cell, input: Inputs<'_>, width: usize) -> Option<Bits> {
    if let Some(bit) = gate(design, &cell.kind, input) {
        return Some(vec![bit]);
    }
    let parameter = |name: &str| cell.parameters.get(name).and_then(number).unwrap_or(0);
    let (a_signed, b_signed) = (parameter("A_SIGNED") != 0, parameter("B_SIGNED") != 0);
    let (a, b) = (input("A"), input("B"));
    let both = a_signed && b_signed;
    let bit = |literal: Literal| words::resize(&[literal], width, false);
    let comparison = a.len().max(b.len());
    let (wide_a, wide_b) = (
        words::resize(&a, width, a_signed),
        words::resize(&b, width, b_signed),
    );
    let (same_a, same_b) = (
        words::resize(&a, comparison, both),
        words::resize(&b, comparison, both),
    );
    Some(match cell.kind.as_str() {
        "$not" => words::not(&wide_a),
        "$pos" | "$buf" => wide_a,
        "$neg" => words::negate(design, &wide_a),
        "$and" => words::and(design, &wide_a, &wide_b),
        "$or" => words::or(design, &wide_a, &wide_b),
        "$xor" => words::xor(design, &wide_a, &wide_b),
        "$xnor" => words::not(&words::xor(design, &wide_a, &wide_b)),
        "$add" => words::add(design, &wide_a, &wide_b),
        "$sub" => words::subtract(design, &wide_a, &wide_b),
        "$mul" => words::multiply(design, &wide_a, &wide_b),
        "$logic_not" => bit(!words::reduce_or(design, &a)),
        "$logic_and" | "$logic_or" => {
            let (left, right) = (words::reduce_or(design, &a), words::reduce_or(design, &b));
            bit(match cell.kind.as_str() {
                "$logic_and" => design.and(left, right),
                _ => design.or(left, right),
            })
        }
        "$reduce_and" => bit(words::reduce_and(design, &a)),
        "$reduce_or" | "$reduce_bool" => bit(words::reduce_or(design, &a)),
        "$reduce_xor" => bit(words::reduce_xor(design, &a)),
        "$reduce_xnor" => bit(!words::reduce_xor(design, &a)),
        "$eq" | "$eqx" => bit(words::equal(design, &same_a, &same_b)),
        "$ne" | "$nex" => bit(!words::equal(design, &same_a, &same_b)),
        "$lt" | "$ge" | "$gt" | "$le" => {
            let less = if both {
                words::less_signed
            } else {
                words::less_unsigned
            };
            bit(match cell.kind.as_str() {
                "$lt" => less(design, &same_a, &same_b),
                "$ge" => !less(design, &same_a, &same_b),
                "$gt" => less(design, &same_b, &same_a),
                _ => !less(design, &same_b, &same_a),
            })
        }
        "$shl" | "$sshl" => words::shift(design, &wide_a, &b, Shift::Left),
        "$shr" | "$sshr" | "$shift" | "$shiftx" => {
            shift_right(design, cell, (&a, a_signed), (&b, b_signed), width)
        }
        _ => return selection(design, cell, input, width),
    })
}

/// Shifts to the right; `$shift` and `$shiftx` go left by a negative amount.
fn shift_right(
    design: &mut Design,
    cell: &Cell,
    (a, a_signed): (&Bits, bool),
    (b, b_signed): (&Bits, bool),
    width: usize,
) -> Bits {
    let ignores_sign = cell.kind == "$shiftx";
    let word = words::resize(a, width.max(a.len()), a_signed && !ignores_sign);
    if cell.kind == "$sshr" && a_signed {
        let shifted = words::shift(design, &word, b, Shift::Arithmetic);
        return words::resize(&shifted, width, true);
    }
    let right = words::shift(design, &word, b, Shift::Right);
    let right = words::resize(&right, width, false);
    match (b_signed, b.last()) {
        (true, Some(sign)) if matches!(cell.kind.as_str(), "$shift" | "$shiftx") => {
            let away = words::negate(design, b);
            let left = words::shift(design, &word, &away, Shift::Left);
            words::mux(design, *sign, &words::resize(&left, width, false), &right)
        }
        _ => right,
    }
}

/// Cells that choose among their inputs, or take them apart.
fn selection(design: &mut Design, cell: &Cell, input: Inputs<'_>, width: usize) -> Option<Bits> {
    let (a, b) = (input("A"), input("B"));
    Some(match cell.kind.as_str() {
        "$mux" => {
            let select = input("S").first().copied().unwrap_or(Literal::FALSE);
            words::mux(design, select, &b, &a)
        }
        "$pmux" => {
            let select = input("S");
            let mut value = a.clone();
            for (index, one) in select.iter().enumerate() {
                let choice = &b[index * width..(index + 1) * width];
                value = words::mux(design, *one, choice, &value);
            }
            value
        }
        "$bmux" => {
            let select = input("S");
            let mut choices: Vec<Bits> = a.chunks(width.max(1)).map(<[_]>::to_vec).collect();
            for one in &select {
                choices = choices
                    .chunks(2)
                    .map(|pair| match pair {
                        [low, high] => words::mux(design, *one, high, low),
                        other => other.concat(),
                    })
                    .collect();
            }
            choices.into_iter().next().unwrap_or_default()
        }
        "$slice" => {
            let offset =
                usize::try_from(cell.parameters.get("OFFSET").and_then(number).unwrap_or(0))
                    .unwrap_or(0);
            a.into_iter().skip(offset).take(width).collect()
        }
        "$concat" => [a, b].concat(),
        _ => return None,
    })
}

/// Gates of one bit.
fn gate(design: &mut Design, kind: &str, input: Inputs<'_>) -> Option<Literal> {
    let name = kind.strip_prefix("$_")?.strip_suffix('_')?;
    let one = |name: &str| input(name).first().copied().unwrap_or(Literal::FALSE);
    let (a, b) = (one("A"), one("B"));
    Some(match name {
        "BUF" => a,
        "NOT" => !a,
        "AND" => design.and(a, b),
        "NAND" => !design.and(a, b),
        "OR" => design.or(a, b),
        "NOR" => !design.or(a, b),
        "XOR" => design.xor(a, b),
        "XNOR" => !design.xor(a, b),
        "ANDNOT" => design.and(a, !b),
        "ORNOT" => design.or(a, !b),
        "MUX" => design.mux(one("S"), b, a),
        "NMUX" => !design.mux(one("S"), b, a),
        "AOI3" | "OAI3" | "AOI4" | "OAI4" => {
            let is_and_first = name.starts_with('A');
            let mut join = |left: Literal, right: Literal, and: bool| {
                if and {
                    design.and(left, right)
                } else {
                    design.or(left, right)
                }
            };
            let first = join(a, b, is_and_first);
            let second = if name.ends_with('3') {
                one("C")
            } else {
                join(one("C"), one("D"), is_and_first)
            };
            !join(first, second, !is_and_first)
        }
        _ => return None,
    })
}
