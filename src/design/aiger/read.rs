//! Reading AIGER 1.9, ASCII and binary.
//!
//! First the file is read section by section as it stands, then variables are resolved to
//! nodes: ASCII files may use a variable before they define it. Nothing is reserved by what
//! the header announces, only by what is there; the one exception, inputs of binary files,
//! which have no bytes of their own, is bounded by [`UNUSED_INPUTS`].

use super::layout::{LARGEST_VARIABLE, Layout};
use super::scan::{Field, Place, Scanner};
use super::{AigerFile, Justice, Signal, symbols};
use crate::design::codes;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Reset};
use crate::limits::Limits;
use crate::source::{Diagnostic, FileId, Sources};

/// How many inputs a binary file may have beyond one for each byte. A gate reads two
/// literals and takes two bytes, a latch or output takes two bytes for one, so inputs beyond
/// the number of bytes cannot be in use.
const UNUSED_INPUTS: u64 = 1 << 16;

/// Reads an AIGER file, ASCII or binary as its first bytes say. `file` is what the spans of
/// an ASCII file refer to; binary files have no spans.
pub fn read(bytes: &[u8], file: Option<FileId>) -> Result<AigerFile, Diagnostic> {
    read_within(bytes, file, &Limits::default())
}

/// Reads a file of `sources` within their limits.
pub fn read_source(sources: &Sources, file: FileId) -> Result<AigerFile, Diagnostic> {
    read_within(sources.file(file).bytes(), Some(file), sources.limits())
}

fn read_within(
    bytes: &[u8],
    file: Option<FileId>,
    limits: &Limits,
) -> Result<AigerFile, Diagnostic> {
    let mut scanner = Scanner::new(bytes, file, limits)?;
    let mut layout = Layout::default();
    let header = read_header(&mut scanner, &mut layout)?;
    let sections = read_sections(&mut scanner, &header)?;
    let mut result = resolve(&scanner, &header, sections, layout)?;
    symbols::read(&mut scanner, &mut result)?;
    result.layout.final_newline = !scanner.open_end;
    limits.check()?;
    result.declare_property_names();
    result.hide_observers();
    Ok(result)
}

struct Header {
    maximum: u64,
    inputs: u64,
    latches: u64,
    outputs: u64,
    gates: u64,
    bad: u64,
    constraints: u64,
    justice: u64,
    fairness: u64,
}

fn read_header(scanner: &mut Scanner, layout: &mut Layout) -> Result<Header, Diagnostic> {
    let expected = format_args!("the header `aag M I L O A` or `aig M I L O A`");
    let line = scanner.line(expected)?;
    scanner.binary = line.text.starts_with(b"aig ");
    if !scanner.binary && !line.text.starts_with(b"aag ") {
        let found = super::scan::excerpt(line.text);
        let message = format!("expected {expected}, found {found}");
        return Err(scanner.fail(line.place(), codes::AIGER_HEADER, message));
    }
    let counts = format_args!("5 to 9 numbers M I L O A B C J F");
    let fields = scanner.fields(line.skip(4), 5, 9, counts)?;
    let value = |index: usize| fields.as_slice().get(index).map_or(0, |field| field.value);
    let header = Header {
        maximum: value(0),
        inputs: value(1),
        latches: value(2),
        outputs: value(3),
        gates: value(4),
        bad: value(5),
        constraints: value(6),
        justice: value(7),
        fairness: value(8),
    };
    if header.maximum > u64::from(LARGEST_VARIABLE) {
        let message = format!(
            "the largest variable is {}, the most is {LARGEST_VARIABLE}",
            header.maximum
        );
        return Err(scanner.fail(line.place(), codes::AIGER_TOO_LARGE, message));
    }
    let defined = header
        .inputs
        .saturating_add(header.latches)
        .saturating_add(header.gates);
    let fits = if scanner.binary {
        header.maximum == defined
    } else {
        header.maximum >= defined
    };
    if !fits {
        let relation = if scanner.binary {
            "exactly"
        } else {
            "at least"
        };
        let message = format!(
            "expected M to be {relation} I+L+A = {defined}, found {}",
            header.maximum
        );
        return Err(scanner.fail(line.place(), codes::AIGER_HEADER, message));
    }
    if scanner.binary && header.inputs > UNUSED_INPUTS + scanner.len() as u64 {
        let message = format!(
            "the header announces {} inputs, but the file has only {} bytes",
            header.inputs,
            scanner.len()
        );
        return Err(scanner.fail(line.place(), codes::AIGER_TOO_LARGE, message));
    }
    layout.binary = scanner.binary;
    layout.carriage_returns = line.carriage_return;
    layout.header_fields = fields.as_slice().len();
    layout.maximum = header.maximum as u32;
    Ok(header)
}

/// A literal as it stands in the file.
#[derive(Clone, Copy)]
struct Raw {
    code: u32,
    place: Place,
}

struct RawLatch {
    defined: Raw,
    next: Raw,
    reset: Option<Raw>,
}

struct RawGate {
    defined: Raw,
    left: Raw,
    right: Raw,
}

#[derive(Default)]
struct Sections {
    inputs: Vec<Raw>,
    latches: Vec<RawLatch>,
    outputs: Vec<Raw>,
    bad: Vec<Raw>,
    constraints: Vec<Raw>,
    justice: Vec<Vec<Raw>>,
    fairness: Vec<Raw>,
    gates: Vec<RawGate>,
}

fn read_sections(scanner: &mut Scanner, header: &Header) -> Result<Sections, Diagnostic> {
    let mut sections = Sections::default();
    for index in 0..header.inputs {
        sections.inputs.push(if scanner.binary {
            Raw {
                code: 2 * (index as u32 + 1),
                place: scanner.here(),
            }
        } else {
            let expected = format_args!("the literal of input {index}");
            let line = scanner.line(expected)?;
            let fields = scanner.fields(line, 1, 1, expected)?;
            defining(scanner, header, fields.as_slice()[0])?
        });
    }
    for index in 0..header.latches {
        let latch = read_latch(scanner, header, index)?;
        sections.latches.push(latch);
    }
    sections.outputs = read_literals(scanner, header, header.outputs, "output")?;
    sections.bad = read_literals(scanner, header, header.bad, "bad state")?;
    sections.constraints = read_literals(scanner, header, header.constraints, "constraint")?;
    sections.justice = read_justice(scanner, header)?;
    sections.fairness = read_literals(scanner, header, header.fairness, "fairness constraint")?;
    for index in 0..header.gates {
        let gate = if scanner.binary {
            read_binary_gate(scanner, header, index)?
        } else {
            let expected = format_args!("gate {index} as three literals");
            let line = scanner.line(expected)?;
            let fields = scanner.fields(line, 3, 3, expected)?;
            let fields = fields.as_slice();
            RawGate {
                defined: Raw {
                    place: line.place(),
                    ..defining(scanner, header, fields[0])?
                },
                left: literal(scanner, header, fields[1])?,
                right: literal(scanner, header, fields[2])?,
            }
        };
        sections.gates.push(gate);
    }
    Ok(sections)
}

fn literal(scanner: &Scanner, header: &Header, field: Field) -> Result<Raw, Diagnostic> {
    if field.value > 2 * header.maximum + 1 {
        let message = format!(
            "literal {} exceeds {}, the largest that the header allows",
            field.value,
            2 * header.maximum + 1
        );
        return Err(scanner.fail(field.place, codes::AIGER_LITERAL, message));
    }
    Ok(Raw {
        code: field.value as u32,
        place: field.place,
    })
}

/// A literal that defines its variable.
fn defining(scanner: &Scanner, header: &Header, field: Field) -> Result<Raw, Diagnostic> {
    let raw = literal(scanner, header, field)?;
    if raw.code < 2 || raw.code % 2 == 1 {
        let message = format!("expected an even literal of at least 2, found {}", raw.code);
        return Err(scanner.fail(raw.place, codes::AIGER_LITERAL, message));
    }
    Ok(raw)
}

fn read_latch(scanner: &mut Scanner, header: &Header, index: u64) -> Result<RawLatch, Diagnostic> {
    let expected = format_args!("latch {index}: its literal, next literal and perhaps reset");
    let expected_binary = format_args!("latch {index}: its next literal and perhaps reset");
    let expected = if scanner.binary {
        expected_binary
    } else {
        expected
    };
    let line = scanner.line(expected)?;
    let implied = usize::from(scanner.binary);
    let fields = scanner.fields(line, 2 - implied, 3 - implied, expected)?;
    let fields = fields.as_slice();
    let defined = if scanner.binary {
        Raw {
            code: 2 * (header.inputs + index + 1) as u32,
            place: line.place(),
        }
    } else {
        Raw {
            place: line.place(),
            ..defining(scanner, header, fields[0])?
        }
    };
    let reset = match fields.get(2 - implied) {
        Some(field) => {
            let raw = literal(scanner, header, *field)?;
            if raw.code > 1 && raw.code != defined.code {
                let message = format!(
                    "expected the reset 0, 1 or {} (uninitialised), found {}",
                    defined.code, raw.code
                );
                return Err(scanner.fail(raw.place, codes::AIGER_LITERAL, message));
            }
            Some(raw)
        }
        None => None,
    };
    Ok(RawLatch {
        defined,
        next: literal(scanner, header, fields[1 - implied])?,
        reset,
    })
}

fn read_literals(
    scanner: &mut Scanner,
    header: &Header,
    count: u64,
    what: &str,
) -> Result<Vec<Raw>, Diagnostic> {
    let mut literals = Vec::new();
    for index in 0..count {
        let expected = format_args!("the literal of {what} {index}");
        let line = scanner.line(expected)?;
        let fields = scanner.fields(line, 1, 1, expected)?;
        literals.push(literal(scanner, header, fields.as_slice()[0])?);
    }
    Ok(literals)
}

fn read_justice(scanner: &mut Scanner, header: &Header) -> Result<Vec<Vec<Raw>>, Diagnostic> {
    let mut sizes = Vec::new();
    for index in 0..header.justice {
        let expected = format_args!("the number of literals of justice property {index}");
        let line = scanner.line(expected)?;
        let fields = scanner.fields(line, 1, 1, expected)?;
        sizes.push(fields.as_slice()[0].value);
    }
    let mut justice = Vec::new();
    for (index, size) in sizes.into_iter().enumerate() {
        let what = format!("justice property {index}, literal");
        justice.push(read_literals(scanner, header, size, &what)?);
    }
    Ok(justice)
}

fn read_binary_gate(
    scanner: &mut Scanner,
    header: &Header,
    index: u64,
) -> Result<RawGate, Diagnostic> {
    let start = scanner.here();
    let code = 2 * (header.inputs + header.latches + index + 1) as u32;
    let first = read_delta(scanner, code)?;
    let second_start = scanner.here();
    let second = read_delta(scanner, code)?;
    let place = Place {
        start: start.start,
        end: scanner.here().start,
    };
    let left = match code.checked_sub(first) {
        Some(left) if first > 0 => left,
        _ => {
            let message = format!("expected a difference between 1 and {code}, found {first}");
            return Err(scanner.fail(start, codes::AIGER_LITERAL, message));
        }
    };
    let Some(right) = left.checked_sub(second) else {
        let message = format!("expected a difference of at most {left}, found {second}");
        return Err(scanner.fail(second_start, codes::AIGER_LITERAL, message));
    };
    let raw = |code: u32| Raw { code, place };
    Ok(RawGate {
        defined: raw(code),
        left: raw(left),
        right: raw(right),
    })
}

/// Seven bits to a byte, lowest first; the top bit says that more follow.
fn read_delta(scanner: &mut Scanner, gate: u32) -> Result<u32, Diagnostic> {
    let start = scanner.here();
    scanner.limits.poll()?;
    let mut value: u64 = 0;
    for shift in (0..35).step_by(7) {
        let Some(byte) = scanner.next_byte() else {
            let message = format!("the file ends inside of gate {gate}");
            return Err(scanner.fail(scanner.here(), codes::AIGER_ENDS_EARLY, message));
        };
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            if let Ok(value) = u32::try_from(value) {
                return Ok(value);
            }
            break;
        }
    }
    let message = format!("expected a difference of at most {gate}, found a larger number");
    Err(scanner.fail(start, codes::AIGER_LITERAL, message))
}

/// The nodes of the variables, in the order of the variables.
struct Definitions {
    nodes: Vec<(u32, NodeId)>,
}

impl Definitions {
    fn literal(&self, scanner: &Scanner, raw: Raw) -> Result<Literal, Diagnostic> {
        let variable = raw.code / 2;
        if variable == 0 {
            return Ok(Literal::from_code(raw.code));
        }
        match self.nodes.binary_search_by_key(&variable, |entry| entry.0) {
            Ok(index) => Ok(Literal::new(self.nodes[index].1, raw.code % 2 == 1)),
            Err(_) => {
                let message = format!(
                    "literal {} is used, but {} is no input, latch or gate",
                    raw.code,
                    2 * variable
                );
                Err(scanner.fail(raw.place, codes::AIGER_UNDEFINED, message))
            }
        }
    }
}

/// A node for each input, latch and gate, in this order, and what defines them.
fn add_nodes(
    scanner: &Scanner,
    sections: &Sections,
    layout: &mut Layout,
) -> Result<(Design, Definitions), Diagnostic> {
    let mut design = Design::new();
    let mut defined: Vec<Raw> = Vec::new();
    layout.variables.push(0);
    let mut define = |design: &mut Design, id: NodeId, raw: Raw| {
        design.set_span(id, scanner.span(raw.place));
        layout.variables.push(raw.code / 2);
        defined.push(raw);
    };
    for raw in &sections.inputs {
        let id = design.add_input(InputKind::Environment);
        define(&mut design, id, *raw);
    }
    for latch in &sections.latches {
        let reset = match latch.reset.map(|raw| raw.code) {
            None | Some(0) => Reset::Zero,
            Some(1) => Reset::One,
            Some(_) => Reset::Free,
        };
        let id = design.add_latch(reset);
        define(&mut design, id, latch.defined);
    }
    for gate in &sections.gates {
        let id = design.add_gate(Literal::FALSE, Literal::FALSE);
        define(&mut design, id, gate.defined);
    }
    Ok((design, sort_definitions(scanner, &defined)?))
}

fn resolve(
    scanner: &Scanner,
    header: &Header,
    sections: Sections,
    mut layout: Layout,
) -> Result<AigerFile, Diagnostic> {
    let (mut design, definitions) = add_nodes(scanner, &sections, &mut layout)?;
    let resolve = |raw: Raw| definitions.literal(scanner, raw);
    for (id, latch) in design.latches().to_vec().into_iter().zip(&sections.latches) {
        design.set_next(id, resolve(latch.next)?);
        if latch.reset.is_some_and(|raw| raw.code == 0) {
            layout.explicit_zero_resets.insert(id);
        }
    }
    let first_gate = 1 + sections.inputs.len() + sections.latches.len();
    for (index, gate) in sections.gates.iter().enumerate() {
        let id = NodeId::from_index(first_gate + index);
        let (left, right) = (resolve(gate.left)?, resolve(gate.right)?);
        design.replace(id, crate::design::netlist::Node::And(left, right));
    }
    for raw in sections.outputs {
        design.add_output(None, resolve(raw)?, scanner.span(raw.place));
    }
    if let Err(found) = design.topological_order() {
        let variables = &layout.variables;
        let describe = |id: NodeId| format!("gate {}", 2 * variables[id.index()]);
        return Err(found.diagnostic(&design, describe));
    }
    let signals = |literals: Vec<Raw>| -> Result<Vec<Signal>, Diagnostic> {
        let signal = |raw: Raw| {
            Ok(Signal {
                name: None,
                literal: resolve(raw)?,
                span: scanner.span(raw.place),
            })
        };
        literals.into_iter().map(signal).collect()
    };
    let mut justice = Vec::new();
    for literals in sections.justice {
        let span_of = |raw: Option<&Raw>| scanner.span(raw?.place);
        let span = match (span_of(literals.first()), span_of(literals.last())) {
            (Some(first), Some(last)) => Some(first.to(last)),
            _ => None,
        };
        let literals = literals.into_iter().map(resolve);
        justice.push(Justice {
            name: None,
            literals: literals.collect::<Result<_, _>>()?,
            span,
        });
    }
    debug_assert_eq!(layout.maximum as u64, header.maximum);
    Ok(AigerFile {
        bad: signals(sections.bad)?,
        constraints: signals(sections.constraints)?,
        justice,
        fairness: signals(sections.fairness)?,
        design,
        outputs_are_plain: false,
        layout,
    })
}

/// Node `index + 1` is the one that `defined[index]` defines.
fn sort_definitions(scanner: &Scanner, defined: &[Raw]) -> Result<Definitions, Diagnostic> {
    let numbered = defined.iter().enumerate();
    let mut nodes: Vec<(u32, NodeId)> = numbered
        .map(|(index, raw)| (raw.code / 2, NodeId::from_index(index + 1)))
        .collect();
    nodes.sort_unstable();
    for pair in nodes.windows(2) {
        if pair[0].0 == pair[1].0 {
            let first = defined[pair[0].1.index() - 1];
            let second = defined[pair[1].1.index() - 1];
            let message = format!("literal {} is defined a second time", second.code);
            let mut diagnostic = scanner.fail(second.place, codes::AIGER_DEFINED_TWICE, message);
            if let Some(span) = scanner.span(first.place) {
                diagnostic = diagnostic.at(span, "first defined here");
            }
            return Err(diagnostic);
        }
    }
    Ok(Definitions { nodes })
}
