//! `respin instrument`: writes the repair game of a design as a circuit.

use crate::cli::context::{Context, Failure};
use crate::cli::design::load;
use crate::cli::input::Format;
use crate::cli::options::{CircuitFormat, Semantics};
use crate::cli::output::{check_output, circuit_bytes, write_file};
use crate::cli::request::InstrumentRequest;
use crate::design::aiger::{self, AigerFile};
use crate::load::Purpose;
use crate::repair::Layout;
use crate::report::Report;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use crate::synth::instrument::Instrument;

pub fn instrument(request: &InstrumentRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, request.design.files())?;
    let loaded = load(&request.design, Purpose::Instrument, context)?;
    refuse_options(request)?;
    // Of a source that Yosys has read, the cells are what can be replaced.
    let loaded = match loaded.as_netlist() {
        Some(netlist) => netlist?,
        None => loaded,
    };
    let netlist = loaded.front_end().netlist();
    let suspects = request
        .components
        .filter()
        .components(netlist, &Layout::new(loaded.front_end(), &loaded.sources))?;
    let faults = request.components.faults.unwrap_or(1) as usize;
    let is_aiger = request.design.designs[0].format == Format::Aiger;
    let mut file = match loaded.front_end().files() {
        [only] if is_aiger => aiger::read_source(&loaded.sources, *only)?,
        _ => AigerFile::from_design(loaded.design.clone(), &[])?,
    };
    file.outputs_are_plain = !is_aiger;
    let game = Instrument {
        netlist,
        suspects: &suspects,
        faults,
        file: &file,
        spec: &loaded.spec,
        own_properties: loaded.property_names.len(),
    };
    let path = request.output.output.as_deref();
    let bytes = circuit_bytes(&game.game()?, path)?;
    let mut report = match path {
        Some(path) => {
            write_file(path, &bytes, request.output.force)?;
            let mut report = Report::done("");
            let count = suspects.len();
            let components = if count == 1 {
                "component"
            } else {
                "components"
            };
            let line = format!("wrote {} with {count} {components} open", path.display());
            report.notes.push(line);
            report
        }
        None => Report::done(String::from_utf8_lossy(&bytes).into_owned()),
    };
    report.diagnostics = loaded.warnings;
    Ok(report)
}

/// Nothing that was asked for is left out in silence.
fn refuse_options(request: &InstrumentRequest) -> Result<(), Diagnostic> {
    if request.format == Some(CircuitFormat::Verilog) {
        let message = "the game is written as AIGER only, so far";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help("leave out `--to`, or give `--to aiger`"));
    }
    if request.semantics == Some(Semantics::Implication) {
        let message = "`--semantics implication` has no form in AIGER";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help("in AIGER, a constraint that breaks ends what counts"));
    }
    Ok(())
}
