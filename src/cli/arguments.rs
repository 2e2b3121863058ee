//! The command line as clap reads it: one variant for each command.
//!
//! Help, completions and man pages all come from these definitions. `request` turns what was
//! read into what is to be done.

use super::options::{
    Automaton, AutomatonKind, CheckPart, CircuitFormat, ComponentOptions, ControllerFormat,
    DesignOptions, Engine, ExplainOptions, GENERAL, GlobalOptions, INPUT, OUTPUT, OutputOptions,
    PROCESSING, PageOptions, RecordedOptions, SemanticsOptions, SpecFormat, SpecOptions,
    WorkdirOptions,
};
use clap::{ArgAction, Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0    yes: REPAIRED, PLAUSIBLE, PASS, REALIZABLE, or the verdict given with --expect
  1    no: NO REPAIR, FAIL, UNREALIZABLE, or another verdict than the expected one
  2    wrong usage, wrong input, or an internal error
  3    UNKNOWN: out of time or memory
  130  interrupted (Ctrl-C); 143 by SIGTERM";

/// Repair circuits that violate temporal specifications, and debug specifications that
/// nothing can satisfy
#[derive(Clone, Debug, Parser)]
#[command(name = "respin", version, after_help = EXIT_CODES)]
#[command(arg_required_else_help = true, subcommand_required = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub global: GlobalOptions,

    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version)]
    #[arg(help_heading = GENERAL, display_order = 913)]
    version: Option<bool>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Find the fault of a design and fix it
    Repair(RepairArguments),
    /// Check a design against its properties
    Verify(VerifyArguments),
    /// Ask whether any system can satisfy a specification
    Check(CheckArguments),
    /// Say why nothing satisfies a specification, or what its verdict rests on
    Explain(ExplainArguments),
    /// Play the system against a counterstrategy, or the environment against a controller
    Play(PlayArguments),
    /// Run a controller of a realizable specification
    Simulate(SimulateArguments),
    /// Write a controller that satisfies a specification
    Synth(SynthArguments),
    /// Write the repair game of a design as a circuit
    Instrument(InstrumentArguments),
    /// Translate a specification to another format
    Convert(ConvertArguments),
    /// Say what a diagnostic means and how to fix it
    HelpCode(HelpCodeArguments),
    /// Write the completions of a shell
    Completions(CompletionsArguments),
    /// Write the manual pages
    Man(ManArguments),
}

#[derive(Args, Clone, Debug)]
pub struct RepairArguments {
    #[command(flatten)]
    pub design: DesignOptions,
    #[command(flatten)]
    pub recorded: RecordedOptions,
    #[command(flatten)]
    pub components: ComponentOptions,
    #[command(flatten)]
    pub correction: CorrectionOptions,
    #[command(flatten)]
    pub semantics: SemanticsOptions,

    /// The automaton that a property becomes
    #[arg(long, value_name = "KIND", value_enum, default_value_t, help_heading = PROCESSING)]
    pub automaton: Automaton,

    /// Write a failing run of a Verilog design here, and the same inputs on the repaired
    /// design to FILE with `-repaired` before its extension
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub vcd: Option<PathBuf>,

    /// Edit the sources in place; without it a diff is printed and nothing is changed
    #[arg(long, conflicts_with = "output", help_heading = OUTPUT)]
    pub write: bool,

    #[command(flatten)]
    pub page: PageOptions,

    #[command(flatten)]
    pub workdir: WorkdirOptions,

    #[command(flatten)]
    pub output: OutputOptions,
}

/// Which corrections are wanted.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = PROCESSING)]
pub struct CorrectionOptions {
    /// Let a correction add registers
    #[arg(long)]
    pub allow_state: bool,

    /// Signals that a correction may read [default: all in scope]
    #[arg(long, value_name = "SIGNALS", value_delimiter = ',')]
    pub depends_on: Vec<String>,

    /// Play the game for every suspect of a Verilog design, also if small edits were found
    #[arg(long)]
    pub every_place: bool,

    /// Ask of a correction that the antecedent of each assertion happens on some run
    #[arg(long)]
    pub cover_antecedents: bool,

    /// Leave out the correction with this number of an earlier run; may be repeated
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub reject: Vec<u32>,

    /// Show and write the correction with this number in place of the first
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub pick: Option<u32>,

    /// An expression that must hold in every step of the repaired design; may be repeated
    #[arg(long, value_name = "EXPRESSION")]
    pub keep: Vec<String>,
}

#[derive(Args, Clone, Debug)]
pub struct VerifyArguments {
    #[command(flatten)]
    pub design: DesignOptions,
    #[command(flatten)]
    pub recorded: RecordedOptions,

    /// Check only the assertion of this name; may be given more than once
    #[arg(long = "property", value_name = "NAME", help_heading = PROCESSING)]
    pub properties: Vec<String>,

    /// Who looks for an answer; with `auto` both engines do, in turns
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t, help_heading = PROCESSING)]
    pub engine: Engine,

    /// Fail if an assertion holds without saying anything, or assumptions cannot be kept
    #[arg(long, help_heading = PROCESSING)]
    pub strict: bool,

    #[command(flatten)]
    pub semantics: SemanticsOptions,
    #[command(flatten)]
    pub traces: TraceOptions,
    #[command(flatten)]
    pub page: PageOptions,
    #[command(flatten)]
    pub workdir: WorkdirOptions,
}

/// Where counterexamples go, besides standard output.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = OUTPUT)]
pub struct TraceOptions {
    /// Write the first counterexample to this file, for a waveform viewer
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub vcd: Option<PathBuf>,

    /// Write a witness for each property of an AIGER file, in AIGER's witness format
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub witness: Option<PathBuf>,

    /// Write why all properties hold: a witness circuit (.aag, .aig), a script (.smt2) or
    /// assertions (.sv, .sva)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub certificate: Option<PathBuf>,

    /// Overwrite these files if they exist
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Clone, Debug)]
pub struct CheckArguments {
    #[command(flatten)]
    pub spec: SpecOptions,
    #[command(flatten)]
    pub semantics: SemanticsOptions,
    #[command(flatten)]
    pub page: PageOptions,

    /// Overwrite the page if it exists
    #[arg(long, help_heading = OUTPUT)]
    pub force: bool,

    /// Find only these parts, and the verdict, with all the time there is [default: all, the
    /// verdict first, and the others with as much work as it took]
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
    #[arg(help_heading = PROCESSING)]
    pub only: Vec<CheckPart>,
}

#[derive(Args, Clone, Debug)]
pub struct ExplainArguments {
    #[command(flatten)]
    pub spec: SpecOptions,
    #[command(flatten)]
    pub semantics: SemanticsOptions,
    #[command(flatten)]
    pub explain: ExplainOptions,
    #[command(flatten)]
    pub page: PageOptions,
}

#[derive(Args, Clone, Debug)]
pub struct PlayArguments {
    #[command(flatten)]
    pub spec: SpecOptions,

    /// Take the moves of each step from the lines of this file [default: standard input]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = INPUT)]
    pub moves: Option<PathBuf>,

    /// Play in a browser, on this machine only [default: a port that is free]
    ///
    /// The address is printed; who does not have it cannot play. Ctrl-C ends the game.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    #[arg(conflicts_with = "moves", help_heading = INPUT)]
    pub serve: Option<u16>,

    #[command(flatten)]
    pub semantics: SemanticsOptions,
}

#[derive(Args, Clone, Debug)]
pub struct SimulateArguments {
    #[command(flatten)]
    pub spec: SpecOptions,

    /// Take the inputs of each step from the lines of this file [default: random inputs]
    #[arg(long = "inputs", value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = INPUT)]
    pub script: Option<PathBuf>,

    /// Choose inputs that make assumptions recur and lead to states not seen before
    #[arg(long, conflicts_with_all = ["script", "edited"], help_heading = PROCESSING)]
    pub guided: bool,

    /// Ask whether a trace that was edited is allowed: 0, 1, a value, or ? for any
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = INPUT)]
    pub edited: Option<PathBuf>,

    #[command(flatten)]
    pub semantics: SemanticsOptions,

    /// How many steps to run
    #[arg(long, value_name = "NUMBER", default_value_t = 20, help_heading = PROCESSING)]
    pub steps: usize,

    /// Where random inputs start from; the same number gives the same run
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = PROCESSING)]
    pub seed: u64,

    /// Write the run to this file, for a waveform viewer
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    #[arg(conflicts_with = "edited")]
    pub vcd: Option<PathBuf>,

    /// Overwrite a file that exists
    #[arg(long, help_heading = OUTPUT)]
    pub force: bool,
}

#[derive(Args, Clone, Debug)]
pub struct SynthArguments {
    #[command(flatten)]
    pub spec: SpecOptions,
    #[command(flatten)]
    pub semantics: SemanticsOptions,

    /// What the controller is written as [default: aiger for AIGER, otherwise verilog]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = OUTPUT)]
    pub to: Option<ControllerFormat>,

    /// Give the module an input of this name that puts it back to its first state
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub reset_port: Option<String>,

    #[command(flatten)]
    pub output: OutputOptions,
}

#[derive(Args, Clone, Debug)]
pub struct InstrumentArguments {
    #[command(flatten)]
    pub design: DesignOptions,
    #[command(flatten)]
    pub components: ComponentOptions,
    #[command(flatten)]
    pub semantics: SemanticsOptions,

    /// What the game is written as [default: aiger for AIGER, otherwise verilog]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = OUTPUT)]
    pub to: Option<CircuitFormat>,

    #[command(flatten)]
    pub output: OutputOptions,
}

#[derive(Args, Clone, Debug)]
pub struct ConvertArguments {
    #[command(flatten)]
    pub spec: SpecOptions,
    #[command(flatten)]
    pub semantics: SemanticsOptions,

    /// The automaton that is written with `--to hoa` [default: deterministic]
    #[arg(long, value_name = "KIND", value_enum, help_heading = PROCESSING)]
    pub automaton: Option<AutomatonKind>,

    /// What the specification is translated to
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = OUTPUT)]
    pub to: SpecFormat,

    #[command(flatten)]
    pub output: OutputOptions,
}

#[derive(Args, Clone, Debug)]
pub struct HelpCodeArguments {
    /// The code, such as R0012 [default: list all codes]
    #[arg(value_name = "CODE", help_heading = INPUT)]
    pub code: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub struct CompletionsArguments {
    /// The shell to write for
    #[arg(value_name = "SHELL", value_enum, help_heading = INPUT)]
    pub shell: Shell,
}

#[derive(Args, Clone, Debug)]
pub struct ManArguments {
    /// Overwrite pages that exist
    // Headings come in the order of their first option, and processing comes before output.
    #[arg(long, help_heading = PROCESSING)]
    pub force: bool,

    /// Write one page for each command to this directory [default: print the page of respin]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = OUTPUT)]
    pub out_dir: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_option_is_documented_under_a_heading() {
        for command in Arguments::command().get_subcommands() {
            for argument in command.get_arguments() {
                let documented =
                    argument.get_help().is_some() && argument.get_help_heading().is_some();
                assert!(documented, "{} {}", command.get_name(), argument.get_id());
            }
        }
    }
}
