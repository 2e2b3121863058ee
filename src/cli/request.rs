//! What is to be done, once the command line has been understood.
//!
//! Raw arguments are turned into a [`Request`] once, here: formats are settled, and what clap
//! cannot see by itself is refused. Commands never look at raw arguments.

use super::arguments::{
    Arguments, CampaignArguments, Command, CompletionsArguments, CorrectionOptions,
    HelpCodeArguments, ManArguments, TraceOptions,
};
use super::input::{InputFile, Purpose};
use super::options::{
    Automaton, AutomatonKind, CheckPart, CircuitFormat, ComponentOptions, ControllerFormat,
    DesignOptions, Engine, ExplainOptions, Frontend, InitialValue, OutputFormat, OutputOptions,
    PageOptions, PastReading, Semantics, SpecFormat, SpecOptions,
};
use super::recorded::RecordedInput;
use super::sby::Mode;
use super::values::{Define, InputPath, Reset};
use crate::design::Kind;
use crate::repair::Share;
use crate::report::Verdict;
use crate::source::{Diagnostic, codes::frame};
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub enum Request {
    Repair(RepairRequest),
    Verify(VerifyRequest),
    Check(CheckRequest),
    Explain(ExplainRequest),
    Play(PlayRequest),
    Simulate(SimulateRequest),
    Synth(SynthRequest),
    Instrument(InstrumentRequest),
    Convert(ConvertRequest),
    Mutate(MutateRequest),
    Campaign(CampaignArguments),
    HelpCode(HelpCodeArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
}

/// The files of a design, and how they are read.
#[derive(Clone, Debug)]
pub struct DesignInput {
    pub designs: Vec<InputFile>,
    pub properties: Vec<InputFile>,
    /// What the design has to be equal to; none for nothing.
    pub references: Vec<InputFile>,
    pub top: Option<String>,
    pub defines: Vec<Define>,
    pub include_directories: Vec<PathBuf>,
    pub reset: Option<Reset>,
    pub reset_again: bool,
    pub past: PastReading,
    /// Whether the macro FORMAL is defined.
    pub formal: bool,
    pub frontend: Frontend,
    /// Values for parameters of the top module.
    pub parameters: Vec<(String, String)>,
    pub init: InitialValue,
    /// What the task of an sby file asks; everything if there is none.
    pub mode: Option<Mode>,
}

/// A specification, and how it is read.
#[derive(Clone, Debug)]
pub struct SpecInput {
    pub file: InputFile,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Of TLSF.
    pub parameters: Vec<(String, i64)>,
    /// `None`: as the format says.
    pub semantics: Option<Semantics>,
}

#[derive(Clone, Debug)]
pub struct RepairRequest {
    pub design: DesignInput,
    pub recorded: RecordedInput,
    pub semantics: Option<Semantics>,
    pub components: ComponentOptions,
    pub correction: CorrectionOptions,
    pub automaton: Automaton,
    /// The places that are looked at; all if there is none.
    pub share: Option<Share>,
    /// In how many processes places are looked at; none for this one.
    pub split: Option<u32>,
    pub write: bool,
    pub vcd: Option<PathBuf>,
    pub page: PageOptions,
    pub workdir: Option<PathBuf>,
    pub output: OutputOptions,
}

#[derive(Clone, Debug)]
pub struct VerifyRequest {
    pub design: DesignInput,
    pub recorded: RecordedInput,
    /// The names of the assertions to check; none for all.
    pub properties: Vec<String>,
    pub engine: Engine,
    pub semantics: Option<Semantics>,
    /// Whether what holds without saying anything is a failure.
    pub strict: bool,
    pub traces: TraceOptions,
    pub page: PageOptions,
    pub workdir: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct MutateRequest {
    pub design: DesignInput,
    /// The names of the assertions that count; none for all.
    pub properties: Vec<String>,
    pub kinds: Vec<Kind>,
    /// Which part of the mutants, from 0, and of how many.
    pub part: Option<(usize, usize)>,
    pub semantics: Option<Semantics>,
    pub page: PageOptions,
    pub force: bool,
}

#[derive(Clone, Debug)]
pub struct CheckRequest {
    pub spec: SpecInput,
    /// What is asked for; none for everything.
    pub only: Vec<CheckPart>,
    pub page: PageOptions,
    pub force: bool,
}

#[derive(Clone, Debug)]
pub struct ExplainRequest {
    pub spec: SpecInput,
    pub page: PageOptions,
    pub options: ExplainOptions,
}

#[derive(Clone, Debug)]
pub struct PlayRequest {
    pub spec: SpecInput,
    pub moves: Option<PathBuf>,
    /// The port of a server, 0 for any.
    pub serve: Option<u16>,
}

#[derive(Clone, Debug)]
pub struct SimulateRequest {
    pub spec: SpecInput,
    /// The inputs of each step.
    pub script: Option<PathBuf>,
    pub edited: Option<PathBuf>,
    pub guided: bool,
    pub steps: usize,
    pub seed: u64,
    pub vcd: Option<PathBuf>,
    pub force: bool,
}

#[derive(Clone, Debug)]
pub struct SynthRequest {
    pub spec: SpecInput,
    /// `None`: what suits the specification.
    pub format: Option<ControllerFormat>,
    pub reset_port: Option<String>,
    pub output: OutputOptions,
}

#[derive(Clone, Debug)]
pub struct InstrumentRequest {
    pub design: DesignInput,
    pub semantics: Option<Semantics>,
    pub components: ComponentOptions,
    /// `None`: what suits the design.
    pub format: Option<CircuitFormat>,
    pub output: OutputOptions,
}

#[derive(Clone, Debug)]
pub struct ConvertRequest {
    pub spec: SpecInput,
    pub format: SpecFormat,
    pub automaton: Option<AutomatonKind>,
    pub output: OutputOptions,
}

impl Request {
    pub fn new(arguments: Arguments) -> Result<Request, Diagnostic> {
        let request = match arguments.command {
            Command::Repair(repair) => Request::Repair(RepairRequest {
                design: DesignInput::new(repair.design)?,
                recorded: RecordedInput::new(repair.recorded)?,
                semantics: repair.semantics.semantics,
                components: repair.components,
                correction: repair.correction,
                automaton: repair.automaton,
                share: repair.part,
                split: repair.split,
                write: repair.write,
                vcd: repair.vcd,
                page: repair.page,
                workdir: repair.workdir.workdir,
                output: repair.output,
            }),
            Command::Verify(verify) => Request::Verify(VerifyRequest {
                design: DesignInput::new(verify.design)?,
                recorded: RecordedInput::new(verify.recorded)?,
                properties: verify.properties,
                engine: verify.engine,
                semantics: verify.semantics.semantics,
                strict: verify.strict,
                traces: verify.traces,
                page: verify.page,
                workdir: verify.workdir.workdir,
            }),
            Command::Check(check) => Request::Check(CheckRequest {
                spec: SpecInput::new(check.spec, check.semantics.semantics)?,
                only: check.only,
                page: check.page,
                force: check.force,
            }),
            Command::Explain(explain) => Request::Explain(ExplainRequest {
                spec: SpecInput::new(explain.spec, explain.semantics.semantics)?,
                options: explain.explain,
                page: explain.page,
            }),
            Command::Play(play) => Request::Play(PlayRequest {
                spec: SpecInput::new(play.spec, play.semantics.semantics)?,
                moves: play.moves,
                serve: play.serve,
            }),
            Command::Simulate(simulate) => Request::Simulate(SimulateRequest {
                spec: SpecInput::new(simulate.spec, simulate.semantics.semantics)?,
                script: simulate.script,
                edited: simulate.edited,
                guided: simulate.guided,
                steps: simulate.steps,
                seed: simulate.seed,
                vcd: simulate.vcd,
                force: simulate.force,
            }),
            Command::Synth(synth) => Request::Synth(SynthRequest {
                spec: SpecInput::for_game(synth.spec, synth.semantics.semantics)?,
                format: synth.to,
                reset_port: synth.reset_port,
                output: synth.output,
            }),
            Command::Instrument(instrument) => Request::Instrument(InstrumentRequest {
                design: DesignInput::new(instrument.design)?,
                semantics: instrument.semantics.semantics,
                components: instrument.components,
                format: instrument.to,
                output: instrument.output,
            }),
            Command::Convert(convert) => Request::Convert(ConvertRequest {
                spec: SpecInput::new(convert.spec, convert.semantics.semantics)?,
                format: convert.to,
                automaton: convert.automaton,
                output: convert.output,
            }),
            // It has no report, and is served before requests are made.
            Command::Lsp(_) => {
                let message = "a server for editors is started by `respin lsp` alone";
                return Err(Diagnostic::error(frame::BAD_USAGE, message));
            }
            Command::Mutate(mutate) => Request::Mutate(MutateRequest {
                design: DesignInput::new(mutate.design)?,
                properties: mutate.properties,
                kinds: mutate.components,
                part: mutate.part,
                semantics: mutate.semantics.semantics,
                page: mutate.page,
                force: mutate.force,
            }),
            Command::Campaign(campaign) => Request::Campaign(campaign),
            Command::HelpCode(help_code) => Request::HelpCode(help_code),
            Command::Completions(completions) => Request::Completions(completions),
            Command::Man(man) => Request::Man(man),
        };
        let for_designs = matches!(
            request,
            Request::Repair(_) | Request::Verify(_) | Request::Campaign(_)
        );
        let format = arguments.global.format;
        if matches!(format, OutputFormat::Sarif | OutputFormat::Junit) && !for_designs {
            let message =
                "this format is for `respin verify`, `respin repair` and `respin campaign`";
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("`--format json` is for every command"));
        }
        if let Some(expected) = arguments.global.expect {
            request.check_expected(expected)?;
        }
        Ok(request)
    }

    /// The verdicts that the command can give.
    fn verdicts(&self) -> &'static [Verdict] {
        match self {
            Request::Repair(_) => &[
                Verdict::Repaired,
                Verdict::Plausible,
                Verdict::NoRepair,
                Verdict::Pass,
                Verdict::Unknown,
            ],
            Request::Verify(_) | Request::Mutate(_) | Request::Campaign(_) => {
                &[Verdict::Pass, Verdict::Fail, Verdict::Unknown]
            }
            Request::Check(_)
            | Request::Explain(_)
            | Request::Play(_)
            | Request::Simulate(_)
            | Request::Synth(_) => &[Verdict::Realizable, Verdict::Unrealizable, Verdict::Unknown],
            Request::Instrument(_)
            | Request::Convert(_)
            | Request::HelpCode(_)
            | Request::Completions(_)
            | Request::Man(_) => &[],
        }
    }

    /// An expectation that can never come true is a slip of the pen, not a failed test.
    fn check_expected(&self, expected: Verdict) -> Result<(), Diagnostic> {
        let possible = self.verdicts();
        if possible.contains(&expected) {
            return Ok(());
        }
        let message = format!("this command never answers {expected}");
        let diagnostic = Diagnostic::error(frame::BAD_OPTION_VALUE, message);
        let words: Vec<&str> = possible.iter().map(|verdict| verdict.word()).collect();
        Err(match words.as_slice() {
            [] => diagnostic.help("it answers no question: leave out `--expect`"),
            words => diagnostic.help(format!("`--expect` takes one of {}", words.join(", "))),
        })
    }
}

impl DesignInput {
    fn new(options: DesignOptions) -> Result<DesignInput, Diagnostic> {
        let inputs = options.designs.iter().chain(&options.specs);
        let inputs = inputs.chain(&options.reference);
        if inputs.filter(|path| **path == InputPath::Stdin).count() > 1 {
            let message = "standard input is named twice, and can be read only once";
            return Err(Diagnostic::error(frame::STDIN_TWICE, message)
                .help("put one of the two inputs into a file"));
        }
        let designs = options
            .designs
            .into_iter()
            .map(|path| InputFile::new(path, options.from, Purpose::Design))
            .collect::<Result<_, _>>()?;
        let properties = options
            .specs
            .into_iter()
            .map(|path| InputFile::new(path, None, Purpose::Properties))
            .collect::<Result<_, _>>()?;
        let references = options
            .reference
            .into_iter()
            .map(|path| InputFile::new(path, None, Purpose::Design))
            .collect::<Result<_, _>>()?;
        Ok(DesignInput {
            designs,
            properties,
            references,
            top: options.top,
            defines: options.defines,
            include_directories: options.include_directories,
            reset: options.reset,
            reset_again: options.reset_again,
            past: options.past.unwrap_or_default(),
            formal: !options.no_formal,
            frontend: options.frontend.unwrap_or_default(),
            parameters: options.parameters,
            init: options.init.unwrap_or_default(),
            mode: options.mode,
        })
    }

    pub fn files(&self) -> impl Iterator<Item = &InputFile> {
        self.designs
            .iter()
            .chain(&self.properties)
            .chain(&self.references)
    }
}

impl SpecInput {
    fn new(options: SpecOptions, semantics: Option<Semantics>) -> Result<SpecInput, Diagnostic> {
        SpecInput::with_purpose(options, semantics, Purpose::Specification)
    }

    /// A circuit with open inputs will do as well.
    fn for_game(
        options: SpecOptions,
        semantics: Option<Semantics>,
    ) -> Result<SpecInput, Diagnostic> {
        SpecInput::with_purpose(options, semantics, Purpose::Game)
    }

    fn with_purpose(
        options: SpecOptions,
        semantics: Option<Semantics>,
        purpose: Purpose,
    ) -> Result<SpecInput, Diagnostic> {
        Ok(SpecInput {
            file: InputFile::new(options.spec, options.from, purpose)?,
            inputs: options.inputs,
            outputs: options.outputs,
            parameters: options.parameters,
            semantics,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Code;
    use clap::Parser;

    fn request(line: &str) -> Result<Request, Diagnostic> {
        Request::new(Arguments::try_parse_from(line.split(' ')).unwrap())
    }

    fn check_refused(line: &str, expected: Code) {
        let code = request(line).map_err(|diagnostic| diagnostic.code).err();
        assert_eq!(code, Some(expected), "{line}");
    }

    #[test]
    fn options_of_repair_arrive() {
        let line = "respin repair a.v b.v --spec p.props --top m -D W=8 -I inc --reset rst=0:2 \
                    --components operator,literal --only a.v:3-9 --except m --faults 2 \
                    --allow-state --depends-on x,y --reject 1 --keep a==b --write \
                    --automaton nondeterministic --semantics strict";
        let Ok(Request::Repair(repair)) = request(line) else {
            panic!("no repair request");
        };
        assert_eq!(repair.design.designs.len(), 2);
        assert_eq!(repair.design.reset.map(|reset| reset.cycles), Some(2));
        assert_eq!(repair.components.components.len(), 2);
        assert_eq!(repair.correction.depends_on, ["x", "y"]);
        assert_eq!(repair.automaton, Automaton::Nondeterministic);
        assert_eq!(repair.semantics, Some(Semantics::Strict));
        assert!(repair.write);
    }

    #[test]
    fn names_of_a_property_file_are_split_at_commas() {
        let Ok(Request::Check(check)) = request("respin check a.ltl --ins a,b --outs c") else {
            panic!("no check request");
        };
        assert_eq!(check.spec.inputs, ["a", "b"]);
        assert_eq!(check.spec.outputs, ["c"]);
    }

    #[test]
    fn standard_input_is_read_once() {
        check_refused(
            "respin verify - --from verilog --spec -",
            frame::STDIN_TWICE,
        );
    }

    #[test]
    fn an_impossible_expectation_is_refused() {
        check_refused("respin check a.ltl --expect pass", frame::BAD_OPTION_VALUE);
        check_refused("respin man --expect unknown", frame::BAD_OPTION_VALUE);
    }

    #[test]
    fn a_possible_expectation_is_taken_in_any_case() {
        for word in ["realizable", "REALIZABLE", "Unknown"] {
            let line = format!("respin check a.ltl --expect {word}");
            assert!(request(&line).is_ok(), "{line}");
        }
    }
}
