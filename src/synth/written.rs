//! Controllers as text, read again from it: what is certified is what users get.

use super::circuit::{Circuit, Port};
use super::ltl::Certificate;
use super::verilog;
use crate::bdd::{self, Limits};
use crate::certify::controller::{NoQuestion, Question, question};
use crate::certify::{self, Semantics, Verdict};
use crate::design::aiger::{self, AigerFile};
use crate::design::{Design, verilog as front_end};
use crate::source::codes::{frame, specification as codes};
use crate::source::{Diagnostic, Sources};
use crate::spec::gr1::Gr1;
use std::fmt;

/// A text with the circuit that it says.
pub struct Written {
    pub bytes: Vec<u8>,
    pub circuit: Circuit,
    /// Of the circuit that was written: reading text makes gates that say nothing.
    pub gates: usize,
    pub registers: usize,
}

/// Writes Verilog.
pub fn as_verilog(circuit: &Circuit) -> Result<Written, Diagnostic> {
    let text = verilog::write(circuit).map_err(|name| {
        let message = format!("`{}` cannot be spelled in Verilog", name.0);
        Diagnostic::error(codes::NOT_SUPPORTED, message)
            .help("use names of printable ASCII characters, or `--to aiger`")
    })?;
    let mut sources = Sources::new();
    let file = sources.add("controller.v", text.as_str());
    let tree = front_end::parse(&sources, &[file], &|_, _| None, &[])?;
    let read = front_end::elaborate(&tree, &front_end::Options::default())?;
    Ok(Written {
        circuit: over(circuit, read.design)?,
        bytes: text.into_bytes(),
        gates: circuit.gates(),
        registers: circuit.registers(),
    })
}

/// Writes AIGER with `print`; words are bits with an index.
pub fn as_aiger(
    circuit: &Circuit,
    print: impl FnOnce(&AigerFile) -> Result<Vec<u8>, Diagnostic>,
) -> Result<Written, Diagnostic> {
    let mut file = AigerFile::from_design(circuit.design.clone(), &[])?;
    file.outputs_are_plain = true;
    let bytes = print(&file)?;
    let read = aiger::read(&bytes, None)?;
    Ok(Written {
        circuit: over(circuit, read.design)?,
        bytes,
        gates: circuit.gates(),
        registers: circuit.registers(),
    })
}

/// The same ports in another design.
fn over(circuit: &Circuit, design: Design) -> Result<Circuit, Diagnostic> {
    let ports = |ports: &[Port]| -> Result<Vec<Port>, Diagnostic> {
        let ports = ports.iter();
        ports
            .map(|port| {
                let bits = design.signal(&port.name)?.bits.clone();
                if bits.len() != port.bits.len() {
                    let message = format!("`{}` has another width when read again", port.name);
                    return Err(Diagnostic::error(frame::INTERNAL_ERROR, message));
                }
                Ok(Port {
                    bits,
                    ..port.clone()
                })
            })
            .collect()
    };
    Ok(Circuit {
        name: circuit.name.clone(),
        inputs: ports(&circuit.inputs)?,
        outputs: ports(&circuit.outputs)?,
        internal: ports(&circuit.internal)?,
        design,
    })
}

impl Written {
    /// What the model checker has to find out: whether the circuit keeps a GR(1)
    /// specification under strict semantics.
    pub fn question(&self, spec: &Gr1) -> Result<Question, Failure> {
        question(&self.circuit.design, spec).map_err(|error| match error {
            NoQuestion::Diagnostic(diagnostic) => Failure::Diagnostics(vec![*diagnostic]),
            NoQuestion::TooManyAnswers => Failure::TooManyAnswers,
        })
    }
}

/// Why a controller was not checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    Diagnostics(Vec<Diagnostic>),
    /// An assumption about answers of the system has too many of them to be written out.
    TooManyAnswers,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Diagnostics(diagnostics) => Diagnostic::list(diagnostics, formatter),
            Failure::TooManyAnswers => {
                write!(
                    formatter,
                    "an assumption has too many answers of the system"
                )
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Asks the model checker.
pub fn certify(question: &Question, limits: &Limits) -> Result<Certificate, Failure> {
    let options = certify::Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
    };
    let results = certify::check(&question.design, &question.spec, &options);
    let mut limit: Option<bdd::Error> = None;
    for (index, verdict) in results.map_err(Failure::Diagnostics)? {
        match verdict {
            Verdict::Holds => {}
            Verdict::Unknown(error) => limit = Some(error),
            Verdict::Fails(_) => {
                let name = question.spec.properties[index].name.clone();
                return Ok(Certificate::Flawed(name));
            }
        }
    }
    Ok(limit.map_or(Certificate::Checked, Certificate::Unchecked))
}
