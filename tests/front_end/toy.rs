//! The toy format: a line for each input, register, gate and output.
//!
//! ```text
//! in NAME            reg NAME NEXT            gate NAME KIND LEFT RIGHT            out NAME
//! ```
//!
//! Kinds are `and`, `or`, `xor`, `not` (of the left operand), `zero` and `one`. Registers start
//! at 0.

use respin::design::{
    Component, ComponentKind, Correction, Design, FrontEnd, Function, InputKind, Literal, Netlist,
    NodeId, Patch, Reading, Reset,
};
use respin::source::{Code, Diagnostic, FileId, Sources, Span};
use std::collections::{BTreeMap, HashMap};

pub struct ToyFrontEnd {
    file: FileId,
    text: String,
    netlist: Netlist,
    /// The line of each component.
    lines: Vec<usize>,
    reading: Reading,
}

impl ToyFrontEnd {
    pub fn new(file: FileId, sources: &Sources) -> Result<ToyFrontEnd, Diagnostic> {
        let text = sources.file(file).text.clone();
        let (design, components, lines) = read(&text, file)?;
        Ok(ToyFrontEnd {
            file,
            text,
            reading: Reading {
                design: design.clone(),
                ..Reading::default()
            },
            netlist: Netlist::with_components(design, components),
            lines,
        })
    }

    fn gate(&self, line: usize, function: &Function) -> Option<String> {
        let design = self.netlist.design();
        let name = |literal: &Literal| design.name(literal.node());
        let positive = |function: &Function| match function {
            Function::Signal(literal) if !literal.is_complemented() => name(literal),
            _ => None,
        };
        let own = self.text.lines().nth(line)?.split(' ').nth(1)?;
        let (kind, left, right) = match function {
            Function::Constant(false) => ("zero", own, own),
            Function::Constant(true) => ("one", own, own),
            Function::Signal(literal) if literal.is_complemented() => {
                ("not", name(literal)?, name(literal)?)
            }
            Function::Signal(literal) => ("and", name(literal)?, name(literal)?),
            Function::And(parts) | Function::Or(parts) => {
                let [left, right] = parts.as_slice() else {
                    return None;
                };
                let is_and = matches!(function, Function::And(_));
                let kind = if is_and { "and" } else { "or" };
                (kind, positive(left)?, positive(right)?)
            }
            Function::Xor(left, right) => ("xor", positive(left)?, positive(right)?),
            Function::Not(_) | Function::Mux(..) => return None,
        };
        Some(format!("gate {own} {kind} {left} {right}"))
    }
}

impl FrontEnd for ToyFrontEnd {
    fn reading(&self) -> &Reading {
        &self.reading
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn files(&self) -> &[FileId] {
        std::slice::from_ref(&self.file)
    }

    /// Functions that are more than one gate have no line, as an expression of Verilog may
    /// have no short text.
    fn is_source(&self) -> bool {
        true
    }

    fn render(&self, correction: &Correction) -> Result<Option<Patch>, Diagnostic> {
        let Correction::Functions(candidate) = correction else {
            return Ok(None);
        };
        let mut lines: Vec<String> = self.text.lines().map(str::to_string).collect();
        for replacement in &candidate.replacements {
            let line = self.lines[replacement.component.0 as usize];
            match self.gate(line, &replacement.functions[0]) {
                Some(gate) => lines[line] = gate,
                None => return Ok(None),
            }
        }
        let text = lines.join("\n") + "\n";
        Ok(Some(Patch {
            changes: self.netlist.changes(candidate)?,
            files: BTreeMap::from([(self.file, text.into_bytes())]),
            added_registers: candidate.added_registers(),
        }))
    }

    fn reread(&self, patch: &Patch) -> Result<Reading, Vec<Diagnostic>> {
        let text = patch.text(self.file).unwrap_or(&self.text);
        let (design, ..) = read(text, self.file).map_err(|error| vec![error])?;
        Ok(Reading {
            design,
            ..Reading::default()
        })
    }
}

type Read = (Design, Vec<(Component, Vec<NodeId>)>, Vec<usize>);

fn read(text: &str, file: FileId) -> Result<Read, Diagnostic> {
    let mut design = Design::new();
    let mut nodes: HashMap<&str, NodeId> = HashMap::new();
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    for line in &words {
        let id = match line.as_slice() {
            ["in", _] => design.add_input(InputKind::Environment),
            ["reg", ..] => design.add_latch(Reset::Zero),
            // A buffer in front of what the gate computes: it is what can be opened.
            ["gate", ..] => design.add_gate(Literal::TRUE, Literal::FALSE),
            _ => continue,
        };
        design.set_name(id, line[1]);
        nodes.insert(line[1], id);
    }
    let mut components = Vec::new();
    let mut lines = Vec::new();
    let mut start = 0;
    for (index, line) in words.iter().enumerate() {
        let span = Span::new(file, start, start + line.join(" ").len());
        start = span.end as usize + 1;
        let node = |name: &str| {
            let message = format!("`{name}` is not declared");
            let known = nodes.get(name).map(|id| id.literal());
            known.ok_or_else(|| Diagnostic::error(Code(9999), message).at(span, "here"))
        };
        match line.as_slice() {
            ["in", _] | [""] => {}
            ["out", name] => design.add_output(Some(name.to_string()), node(name)?, Some(span)),
            ["reg", name, next] => design.set_next(node(name)?.node(), node(next)?),
            ["gate", name, kind, left, right] => {
                let (left, right) = (node(left)?, node(right)?);
                let value = match *kind {
                    "and" => design.and(left, right),
                    "or" => design.or(left, right),
                    "xor" => design.xor(left, right),
                    "not" => !left,
                    "one" => Literal::TRUE,
                    _ => Literal::FALSE,
                };
                let id = node(name)?.node();
                design.drive(id, value, usize::MAX);
                design.set_span(id, Some(span));
                let component = Component {
                    kind: ComponentKind::Gate,
                    name: name.to_string(),
                    span: Some(span),
                    scope: Vec::new(),
                    width: 1,
                };
                components.push((component, vec![id]));
                lines.push(index);
            }
            _ => {
                let message = "this is no line of the toy format";
                return Err(Diagnostic::error(Code(9999), message).at(span, "here"));
            }
        }
    }
    design.check()?;
    Ok((design, components, lines))
}
