//! The codes of files, options and the program itself: R0001 to R0099.

codes! {
    INTERNAL_ERROR = 1, "internal error",
"respin reached a state that its authors thought impossible, and stopped.
No answer was given, so nothing that was printed before is wrong; files are
as they were unless the message says otherwise.

Example:
    The program stops with a place in its own sources, not in yours.

To fix: this is a defect of respin. Report it with the message, the command
and the smallest input that shows it. `RUST_BACKTRACE=1` adds the calls that
led there.
";

    FILE_UNREADABLE = 2, "a file cannot be read",
"An input does not exist, is a directory, or may not be read by this user.

Example:
    respin verify arbiter.v --spec arbitre.props
                                   ^^^^^^^^^^^^^ the file is arbiter.props

To fix: check the name and the directory that the command runs in; relative
names count from there. `-` reads standard input.
";

    FORMAT_UNKNOWN = 3, "the format of an input is not known",
"The extension of a file name decides its format:
    .v .sv                  Verilog
    .aag .aig               AIGER
    .json                   Yosys JSON
    .ltl .props             property file
    .spectra                Spectra
    .tlsf                   TLSF
    .slugsin                slugs
    .structuredslugs        structured slugs
This name has none of these extensions. Standard input has no name at all.

Example:
    respin check - < lift.spectra

To fix: rename the file, or say the format:
    respin check - --from spectra < lift.spectra
";

    NOT_UTF8 = 4, "a text file is not valid UTF-8",
"Texts are read as UTF-8, of which ASCII is a part. The message gives the
offset of the first byte that does not fit.

Example:
    A comment in Latin-1, such as `// Prüfung` with the single byte 0xFC.

To fix: convert the file, for example with
    iconv -f LATIN1 -t UTF-8 old.v > new.v
If the file is binary AIGER, its name must end in .aig, or `--from aiger` must
say so.
";

    FILE_TOO_LONG = 5, "a file is longer than 4 GiB",
"Places in a file are kept in 32 bits, so a file has at most 4294967295 bytes.

Example:
    respin verify whole_chip.json       (a netlist of 5 GB)

To fix: give the part of the design that the property talks about. In Yosys,
`select -module` and `flatten` before `write_json` often do.
";

    FORMAT_UNSUITABLE = 6, "this command does not read this format",
"The format of the input is known, but it is not one this command works on:
`repair`, `verify` and `instrument` take designs (Verilog, AIGER, Yosys JSON)
with property files as `--spec`; the other commands take specifications
(property file, Spectra, TLSF, slugs). `synth` also takes AIGER games, in which
the inputs that are called `controllable_...` are the system's.

Example:
    respin check arbiter.v

To fix: `respin verify arbiter.v` checks a design; `respin check` asks whether
any design could satisfy a specification. If the extension misleads, `--from`
says the format.
";

    COMMAND_NOT_AVAILABLE = 7, "this command is not available yet",
"The command is planned and its options are fixed, but this version cannot run
it. The inputs were read all the same, so they exist and are readable.

Example:
    respin play lift.spectra

To fix: `respin --help` marks the commands that are not available yet; a later
version has them.
";

    BAD_OPTION_VALUE = 8, "bad value for an option",
"An option was given a value that it does not take.

Example:
    respin check lift.spectra --expect pass

To fix: `respin COMMAND --help` lists the values of each option. `check` never
answers PASS; it answers REALIZABLE, UNREALIZABLE or UNKNOWN.
";

    BAD_USAGE = 9, "the command line is not understood",
"An option or command does not exist, is missing, or contradicts another.

Example:
    respin convert lift.spectra         (to which format?)

To fix: `respin --help` lists the commands, and `respin COMMAND --help` the
options of one.
";

    OUTPUT_EXISTS = 10, "an output file exists already",
"A file that the command would write is there already, and was left as it is.

Example:
    respin man --out-dir man1           (for the second time)

To fix: choose another name, remove the file, or give `--force`. An input of
the same run is never overwritten by `--output`, even with `--force`.
";

    OUTPUT_UNWRITABLE = 11, "an output cannot be written",
"A file or directory could not be created or written, or standard output could
not take what was printed.

Example:
    respin synth lift.spectra -o /usr/share/lift.v

To fix: check that the directory exists, that you may write there, and that
the disk is not full.
";

    STDIN_TWICE = 12, "standard input is named twice",
"`-` stands for standard input, which can be read only once.

Example:
    respin verify - --spec -

To fix: put one of the two inputs into a file.
";

    CODE_UNKNOWN = 13, "no such diagnostic code",
"`respin help-code` was asked about a code that this version does not have.

Example:
    respin help-code R9999

To fix: `respin help-code` without a code lists all of them. A code from a
newer version is explained by that version.
";

    NO_SUCH_COMPONENT = 14, "no component is of this kind or at this place",
"`--components` chooses what may be wrong by its kind, `--only` and `--except`
by its place: a file, lines of it, an instance with all that is in it, or one
component by its name. Something that was given matches no component of the
design, or all of it together leaves none. Logic that only properties read is
never a component, and an AIGER file has only gates, latches and resets.

Example:
    respin instrument arbiter.aag --only arbitr.aag

To fix: check the spelling; the message names what is close. Without these
options every component is a suspect.
";

    BAD_PROJECT_FILE = 15, "a wrong `respin.toml`",
"Where no design is named, `respin.toml` in this directory or one above says
what the design is. It is not TOML, has a key that does not exist, or a value
that means nothing.

Example:
    file = \"counter.sv\"

To fix: write `files = [\"counter.sv\"]`; flows/README.md lists all keys.
";

    TIME_LIMIT = 16, "the time limit was reached while an input was read",
"`--timeout` or `--cpu-timeout` was over before an input was read: it is very
long, or what it says takes long to write out. The command then answers UNKNOWN
and exits with 3; programs that use the library see this code.

Example:
    X[2000000000] grant                 (two thousand million steps)

To fix: give more time, or the part of the design or specification that
matters.
";

    MEMORY_LIMIT = 17, "the memory limit was reached while an input was read",
"The process had more memory than `--memory` allows before an input was read.
The command then answers UNKNOWN and exits with 3; programs that use the library
see this code.

Example:
    A macro that stands for ten others, which stand for ten others, and so on.

To fix: give more memory, or the part of the design or specification that
matters.
";

    INTERRUPTED = 18, "interrupted while an input was read",
"The user, or whoever started the command, asked for its end (Ctrl-C, SIGTERM)
while an input was being read. The command then exits with 130 or 143; programs
that use the library see this code.

Example:
    Ctrl-C while a netlist of 200 MB is read.

To fix: nothing is wrong with the input; run the command again.
";

    OUTSIDE_PROJECT = 19, "a file outside of the project would be edited",
"`--write` edits files below the present directory, below the directory of
`respin.toml`, and files that are named on the command line. The correction is
one of another file, which the design includes or a file list names, or one that
a link leads to; no file was edited.

Example:
    `include \"../../shared/bus.vh\"     (the correction is one of bus.vh)

To fix: name the file on the command line, run the command in a directory above
both, or leave out `--write` and apply the diff.
";

    BAD_SBY_FILE = 20, "an sby file that is not understood",
"A project of SymbiYosys says what a design consists of in a script for Yosys.
The script is not run: commands that read files (`read`, `read_verilog`, with
macros and directories), name the top module (`prep`, `hierarchy`) or set its
parameters (`chparam`) are understood, and those that only give the netlist
another form mean nothing. This line is none of them, or contradicts another.

Example:
    [script]
    read -formal counter.v
    exec -- ./generate.sh

To fix: leave the line out, or run the script in Yosys up to `write_json` and
give respin the netlist.
";

    CANNOT_SERVE = 21, "a game cannot be served to a browser",
"`respin play --serve` listens on a port of this machine. The port is taken by
another program, or may not be used by this user.

Example:
    respin play arbiter.spectra --serve 80    (ports below 1024 are root's)

To fix: give another port, or none for one that is free.
";

    BAD_PLAN = 22, "the plan of a campaign is not understood",
"A plan says which commands `respin campaign` runs: sets of designs, each with
a command, property files, options and a matrix of further options. A word in
it is unknown, a file is not there, or the command line of a job is wrong.

Example:
    [[set]]
    comand = \"verify\"
    designs = [\"blocks/*/top.v\"]

To fix: docs/campaigns.md describes plans; `respin campaign PLAN --list` shows
the jobs that a plan means.
";

    BAD_JOB = 23, "this is not a job or a result of a campaign",
"`respin campaign --job` was given a line that is no job of this version, or a
file has changed since the job was planned; or `--compare` was given a file
that is no report of a campaign.

Example:
    respin campaign --job '{}' --results nightly

To fix: list the jobs again with `respin campaign PLAN --list`.
";

    JOB_BROKE_DOWN = 24, "the process of a job broke down",
"A job of a campaign runs in a process of its own, which ended without a
result: the system has killed it, mostly for want of memory, or it has a
defect.

Example:
    Eight jobs at a time, each of which takes 4 GB, on a machine with 16 GB.

To fix: give jobs a limit on memory in the plan (`[limits]`, `memory =
\"2G\"`), run fewer at a time with `--jobs`, or run the job alone to see what
it says.
";
}
