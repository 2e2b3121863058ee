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
use super::values;
use crate::design::Kind;
use crate::repair::Share;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, ValueHint};
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
    /// Serve an editor: the Language Server Protocol on standard input and output
    Lsp(LspArguments),
    /// Put small faults into a correct design and see which of them its properties notice
    Mutate(MutateArguments),
    /// Run many commands as jobs and merge their results
    Campaign(CampaignArguments),
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

    /// Look only at a part of the places, one at a time: 2/8 is the second of eight parts
    ///
    /// Places are dealt to parts in turn. All parts together try what `--faults 1` does; what a
    /// part says, NO REPAIR included, is about its own places. Several parts are 2,5/8.
    #[arg(long, value_name = "PART/PARTS", value_parser = values::share, help_heading = PROCESSING)]
    pub part: Option<Share>,

    /// Look at the places in this many parts, each in a process of its own
    ///
    /// As many run at a time as there are processors. What they find is proved again here, and
    /// listed as by a repair with `--faults 1`. `respin campaign` does it on other machines.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=10_000),
        conflicts_with_all = ["part", "reject"], help_heading = PROCESSING)]
    pub split: Option<u32>,

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
pub struct LspArguments {
    /// Use standard input and output; there is no other way, and editors like to say so
    #[arg(long, help_heading = INPUT)]
    pub stdio: bool,

    /// Answer the one question on standard input; the server starts this.
    #[arg(long, hide = true, help_heading = PROCESSING)]
    pub answer: bool,

    /// The program that answers questions in place of this one, for tests of the server.
    #[arg(long, hide = true, value_name = "PROGRAM", conflicts_with = "answer")]
    #[arg(help_heading = PROCESSING)]
    pub analysis: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct MutateArguments {
    #[command(flatten)]
    pub design: DesignOptions,

    /// Count only the assertion of this name; may be given more than once
    #[arg(long = "property", value_name = "NAME", help_heading = PROCESSING)]
    pub properties: Vec<String>,

    /// Kinds of edits that make mutants [default: all]
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',')]
    #[arg(help_heading = PROCESSING)]
    pub components: Vec<Kind>,

    /// Judge only a part of the mutants, such as 2/8: the second of eight parts
    #[arg(long, value_name = "PART/PARTS", value_parser = values::part)]
    #[arg(help_heading = PROCESSING)]
    pub part: Option<(usize, usize)>,

    #[command(flatten)]
    pub semantics: SemanticsOptions,
    #[command(flatten)]
    pub page: PageOptions,

    /// Overwrite the page if it exists
    #[arg(long, help_heading = OUTPUT)]
    pub force: bool,
}

#[derive(Args, Clone, Debug)]
pub struct CampaignArguments {
    /// The plan: designs, commands, options and limits, as TOML
    ///
    /// docs/campaigns.md describes it. Limits of jobs stand in the plan; those of the command
    /// line are for the whole campaign.
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath, help_heading = INPUT)]
    #[arg(required_unless_present = "job")]
    pub plan: Option<PathBuf>,

    /// Compare with an earlier campaign: its results folder, or the `report.json` in it
    ///
    /// New failures, what was fixed, and what takes more than 1.5 times as long.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath, help_heading = INPUT)]
    pub compare: Option<PathBuf>,

    /// Run this many jobs at a time [default: one for each processor]
    #[arg(short, long, value_name = "NUMBER", help_heading = PROCESSING)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Run jobs again that have such a result; others are kept
    #[arg(long, value_name = "WHICH", value_enum, value_delimiter = ',')]
    #[arg(help_heading = PROCESSING)]
    pub rerun: Vec<Rerun>,

    /// Run nothing: merge the results that are there
    #[arg(long, conflicts_with = "job", help_heading = PROCESSING)]
    pub merge: bool,

    /// Run one job, a line that `--list` prints, and write its result: for other machines
    #[arg(
        long,
        value_name = "LINE",
        conflicts_with = "plan",
        requires = "results"
    )]
    #[arg(help_heading = PROCESSING)]
    pub job: Option<String>,

    /// Run the job of `--job` in this process.
    #[arg(long, hide = true, requires = "job", help_heading = PROCESSING)]
    pub unsupervised: bool,

    /// End together with this process, which has started it, where the system can tell.
    #[arg(long, hide = true, value_name = "PID", requires = "unsupervised")]
    #[arg(help_heading = PROCESSING)]
    pub parent: Option<i32>,

    /// The folder of the results, which are kept and used again [default: PLAN.results]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = OUTPUT)]
    pub results: Option<PathBuf>,

    /// Print the jobs, a line of JSON each, and run none [default: all]
    #[arg(long, value_name = "WHICH", value_enum, num_args = 0..=1, default_missing_value = "all")]
    #[arg(conflicts_with = "job", help_heading = OUTPUT)]
    pub list: Option<Listed>,

    /// Leave times out of the report, so that the same answers give the same bytes
    #[arg(long, help_heading = OUTPUT)]
    pub no_times: bool,
}

/// Which jobs are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    All,
    /// Those without a result
    Pending,
}

/// Which results are wanted anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rerun {
    All,
    /// Verdicts other than the wanted ones
    No,
    /// UNKNOWN
    Unknown,
    /// Wrong inputs, and processes that broke down
    Errors,
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
