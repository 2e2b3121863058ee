//! Registers of a Yosys netlist: what they are clocked, enabled and reset by.

use super::document::{Cell, Ordered, digits, number};
use serde_json::Value;

/// A control signal of a register, and the value at which it is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    pub port: &'static str,
    pub active: bool,
}

/// A register cell, whatever its type is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// `None`: every step is an edge, as for `$ff`.
    pub clock: Option<Control>,
    pub enable: Option<Control>,
    /// A synchronous reset, and whether it needs the enable.
    pub reset: Option<(Control, bool)>,
    pub asynchronous: Option<Control>,
    /// What a reset sets, lowest bit first.
    pub value: Vec<Option<bool>>,
}

impl Register {
    /// How a cell stores its input, if it does.
    pub fn of(cell: &Cell, width: usize) -> Option<Register> {
        match cell.kind.strip_prefix("$_") {
            Some(name) => fine(name.strip_suffix('_')?),
            None => coarse(&cell.kind, &cell.parameters, width),
        }
    }
}

fn coarse(kind: &str, parameters: &Ordered<Value>, width: usize) -> Option<Register> {
    let polarity = |name: &str| parameters.get(name).and_then(number) != Some(0);
    let control = |port: &'static str, parameter: &str| Control {
        port,
        active: polarity(parameter),
    };
    let value = |name: &str| match parameters.get(name) {
        Some(value) => digits(value, width),
        None => vec![None; width],
    };
    let mut register = Register {
        clock: Some(control("CLK", "CLK_POLARITY")),
        enable: None,
        reset: None,
        asynchronous: None,
        value: vec![None; width],
    };
    let enable = control("EN", "EN_POLARITY");
    let reset = control("SRST", "SRST_POLARITY");
    match kind {
        "$ff" => register.clock = None,
        "$dff" => {}
        "$dffe" => register.enable = Some(enable),
        "$sdff" => register.reset = Some((reset, false)),
        "$sdffe" => {
            register.reset = Some((reset, false));
            register.enable = Some(enable);
        }
        "$sdffce" => {
            register.reset = Some((reset, true));
            register.enable = Some(enable);
        }
        "$adff" | "$adffe" => {
            register.asynchronous = Some(control("ARST", "ARST_POLARITY"));
            register.value = value("ARST_VALUE");
            if kind == "$adffe" {
                register.enable = Some(enable);
            }
        }
        _ => return None,
    }
    if register.reset.is_some() {
        register.value = value("SRST_VALUE");
    }
    Some(register)
}

/// `DFF_P`, `DFFE_PP`, `DFF_PP0`, `DFFE_PP0P`, `SDFF_PP0`, `SDFFE_PP0P`, `SDFFCE_PP0P`, `FF`.
fn fine(name: &str) -> Option<Register> {
    if name == "FF" {
        return Some(Register {
            clock: None,
            enable: None,
            reset: None,
            asynchronous: None,
            value: vec![None],
        });
    }
    let (kind, letters) = name.split_once('_')?;
    let mut letters = letters.chars();
    let mut control = |port: &'static str| -> Option<Control> {
        Some(Control {
            port,
            active: letters.next()? == 'P',
        })
    };
    let clock = Some(control("C")?);
    let mut register = Register {
        clock,
        enable: None,
        reset: None,
        asynchronous: None,
        value: vec![None],
    };
    let has_reset = match kind {
        "DFF" => name.len() > "DFF_P".len(),
        "DFFE" => name.len() > "DFFE_PP".len(),
        "SDFF" | "SDFFE" | "SDFFCE" => true,
        _ => return None,
    };
    if has_reset {
        let reset = control("R")?;
        if kind.starts_with('S') {
            register.reset = Some((reset, kind == "SDFFCE"))
        } else {
            register.asynchronous = Some(reset)
        }
        // The value is a digit, which reads as a control that is not active for `0`.
        let index = kind.len() + "_PP".len();
        register.value = vec![name.chars().nth(index).map(|digit| digit == '1')];
        control("")?;
    }
    if kind.ends_with('E') {
        register.enable = Some(control("E")?);
    }
    Some(register)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fine_registers_say_all() {
        let register = fine("SDFFCE_NP1N").expect("a register");
        let active = |port, active| Control { port, active };
        assert_eq!(register.clock, Some(active("C", false)));
        assert_eq!(register.reset, Some((active("R", true), true)));
        assert_eq!(register.enable, Some(active("E", false)));
        assert_eq!(register.value, vec![Some(true)]);
        let register = fine("DFF_PN0").expect("a register");
        assert_eq!(register.asynchronous, Some(active("R", false)));
        assert_eq!(register.value, vec![Some(false)]);
        assert_eq!(fine("DLATCH_P"), None);
    }
}
