"""What `respin --format json` prints, as types.

Written by flows/python/generate from docs/report.schema.json; do not edit it by hand.
Fields that a report need not have are None, or empty if they are lists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Literal, Optional, Tuple, Union

CauseWord = Literal["input", "register", "wire", "never_written"]
# What `respin check` can be asked for.
CheckedPart = Literal["verdict", "satisfiable", "separation", "unhelpful"]
# Who has found a verdict.
EngineWord = Literal["bdd", "sat"]
ErrorWord = Literal["ERROR"]
# What became of a mutant.
FateWord = Literal["killed", "survived", "equivalent", "unknown"]
# What a specification is written in.
Format = Literal["a property file", "Spectra", "TLSF", "slugs", "structured slugs", "HOA"]
ItemKind = Literal["guarantee", "assumption", "output"]
# What a job says to the question whether all is as wanted.
JobAnswer = Literal["yes", "no", "unknown", "error", "not_run"]
# What is wrong, or what a correction changes.
Kind = Literal[
    "rhs", "condition", "case-item", "gate", "latch", "literal", "operator", "operand",
    "signal", "negation", "target", "assignment-kind", "reset", "missing-else",
    "missing-default", "missing-reset", "missing-statement", "placement", "sensitivity",
    "parameter", "connection", "registers", "added-function",
]
# Under which reset a property was judged.
ResetWord = Literal["once", "again"]
# The sections of a specification in TLSF.
Section = Literal["INITIALLY", "PRESET", "REQUIRE", "ASSUME", "ASSERT", "GUARANTEE"]
# What assumptions and guarantees mean together; see `docs/semantics.md`.
Semantics = Literal["strict", "implication"]
Severity = Literal["error", "warning", "note"]
SignalKind = Literal["input", "latch", "output", "wire", "suspect", "condition"]
# Why a property that holds says nothing.
VacuousWord = Literal["antecedent", "tautology"]
Verdict = Literal[
    "REPAIRED", "PLAUSIBLE", "NO REPAIR", "PASS", "FAIL", "REALIZABLE", "UNREALIZABLE",
    "UNKNOWN",
]
# The verdict's word, or the one for an error.
Word = Union[Verdict, ErrorWord]


@dataclass(frozen=True)
class Additions:
    # Whether no play keeps both sides, so that no assumption can help; certified, too.
    hopeless: bool
    # Whether a system could make them fail that breaks its own initial or safety guarantees.
    only_against_safety: bool
    # Each set is enough, and needs all of its members; the weakest first. All were certified: the
    # specification is realizable with them, some play keeps everything, and the system cannot
    # make them fail.
    sets: List[List[Item]]


@dataclass(frozen=True)
class ApartRecord:
    """Inputs that tell two corrections apart."""

    # The numbers of the corrections.
    corrections: Tuple[int, int]
    # The inputs of each cycle as a table.
    csv: str
    # What the two show in the last cycle.
    outputs: List[Tuple[str, str, str]]
    # The same as statements of a Verilog test bench.
    verilog: str


@dataclass(frozen=True)
class Assumptions:
    # Guarantees that need them.
    needed_by: List[Item]
    # Minimally sufficient.
    sufficient: List[Item]
    total: int
    # Any one of these could be left out alone.
    unhelpful: List[Item]


@dataclass(frozen=True)
class CampaignReport:
    counts: Counts
    # In the order of the plan.
    jobs: List[JobRecord]
    # The file with the plan.
    plan: str
    # What became of each job since an earlier campaign.
    comparison: Optional[Comparison] = None


@dataclass(frozen=True)
class Case:
    meaning: str
    name: str


@dataclass(frozen=True)
class CauseRecord:
    cycle: int
    kind: CauseWord
    signal: str
    value: str


@dataclass(frozen=True)
class Change:
    before: str
    name: str
    now: str


@dataclass(frozen=True)
class Comparison:
    """What became of jobs since an earlier campaign, by their names."""

    # Jobs that only one of the two has.
    added: List[str]
    # Jobs that said no or broke down, and say yes now.
    fixed: List[Change]
    # Jobs that say no or break down, and did not before.
    new_failures: List[Change]
    # Other verdicts than before, for better or worse.
    otherwise: List[Change]
    removed: List[str]
    # Jobs that take more than 1.5 times the processor time, and half a second more.
    slower: List[Slower]


@dataclass(frozen=True)
class Constraints:
    initial: int
    justice: int
    safety: int


@dataclass(frozen=True)
class Core:
    """Requirements that cannot be kept together."""

    # Assumptions with which each member of the core is needed.
    assumptions: List[Item]
    # Whether unrealizability and the need of each member were confirmed by fresh games.
    confirmed: bool
    # Of how many guarantees.
    guarantees: int
    items: List[Item]
    # Of how many outputs.
    outputs: int


@dataclass(frozen=True)
class Correction:
    """One way to repair a design."""

    edits: List[Edit]
    # Stays the same when others are rejected.
    number: int
    # Registers that it adds.
    added_registers: Optional[int] = None
    # Other places where the same can be had.
    also: List[str] = field(default_factory=list)
    # What lived before and does not any more, in words.
    disables: List[str] = field(default_factory=list)
    # What it changes, in a sentence.
    effect: Optional[str] = None
    # It keeps the environment from meeting its assumptions, so it is no repair.
    vacuous: bool = False


@dataclass(frozen=True)
class Counterplay:
    """One run of a strategy of the environment."""

    # The property that it breaks.
    property: str
    trace: Run


@dataclass(frozen=True)
class Counterstrategy:
    certified: bool
    # One play against it; left out if there is a countertrace.
    play: Optional[Play]
    # States of the play with the counterstrategy's memory.
    states: int
    # Whether there are more states than were looked at.
    truncated: bool
    # The counterstrategy as a machine, if it is one that can be listed.
    machine: Optional[Machine] = None


@dataclass(frozen=True)
class Counts:
    """How many jobs there are of each kind."""

    # Whose input or command line is wrong, or whose process broke down.
    errors: int
    jobs: int
    # Whose verdict is another one.
    no: int
    # That have no result yet.
    not_run: int
    unknown: int
    # Whose verdict is the one that was wanted.
    yes: int


@dataclass(frozen=True)
class Diagnoses:
    # Minimal sets that cannot be kept together.
    conflicts: List[List[Item]]
    # Changing all of one of these gets rid of all conflicts.
    diagnoses: List[List[Item]]
    # Why there may be more.
    limit: Optional[str]


@dataclass(frozen=True)
class DiagnosticRecord:
    code: str
    help: Optional[str]
    labels: List[LabelRecord]
    message: str
    notes: List[str]
    severity: Severity
    # What the help line says, as texts that take the place of others.
    edits: List[LabelRecord] = field(default_factory=list)


@dataclass(frozen=True)
class DifferenceRecord:
    """The first value that the design does not show."""

    # What the design shows; `x` where that depends on unknown values.
    actual: str
    # The nearest signals that brought it about.
    causes: List[CauseRecord]
    cycle: int
    # What was recorded, as a number of Verilog.
    expected: str
    signal: str


@dataclass(frozen=True)
class Edit:
    """A component and what replaces it."""

    after: List[str]
    # One expression for each bit, least significant first.
    before: List[str]
    component: str
    kind: Kind
    place: Optional[PlaceRecord]


@dataclass(frozen=True)
class Explanation:
    """What `respin explain` found; its parts are those of `--only`."""

    # Games that were looked at.
    checks: int
    # Assumptions with which the specification would be realizable.
    additions: Optional[Additions] = None
    # Minimal conflicts, or minimal sufficient assumptions, found all at once.
    all: List[List[Item]] = field(default_factory=list)
    assumptions: Optional[Assumptions] = None
    core: Optional[Core] = None
    counterstrategy: Optional[Counterstrategy] = None
    countertrace: Optional[Play] = None
    diagnoses: Optional[Diagnoses] = None
    fix: Optional[Fix] = None
    # What was not ready in time, and why.
    missing: List[str] = field(default_factory=list)
    separation: Optional[Separation] = None
    # Guarantees with what could stand in their place; any one of these changes is enough.
    weakenings: List[Weakening] = field(default_factory=list)


@dataclass(frozen=True)
class Fix:
    # Then these assumptions suffice.
    assumptions: List[Item]
    # Whether that, and the need of each guarantee that is given up, were confirmed.
    confirmed: bool
    # Without these guarantees the specification is realizable.
    removed: List[Item]


@dataclass(frozen=True)
class Item:
    """A constraint, or an output."""

    kind: ItemKind
    name: str
    place: Optional[PlaceRecord]
    # The constraint itself, in one line.
    text: str
    # The same as a file of TLSF has it, if the specification is one.
    written: Optional[Written] = None


@dataclass(frozen=True)
class JobProperty:
    name: str
    verdict: str


@dataclass(frozen=True)
class JobRecord:
    answer: JobAnswer
    # The command line, without the program.
    arguments: List[str]
    # SHA-256 of what the answer depends on.
    key: str
    name: str
    reason: Optional[str]
    # The set of the plan that it is from.
    set: str
    # The verdict's word, ERROR, or nothing if the job was not run.
    verdict: Optional[str]
    correction: Optional[str] = None
    # How many corrections there are, and the best one in words.
    corrections: Optional[int] = None
    # Where it was run, seen from the folder of the plan, if not there.
    directory: Optional[str] = None
    # The first error, in one line.
    error: Optional[str] = None
    # The verdict that was wanted, if one was named.
    expected: Optional[Verdict] = None
    page: Optional[str] = None
    # The jobs that this repair was split into.
    parts: List[PartRecord] = field(default_factory=list)
    # The processor time that it took, in milliseconds.
    processor_ms: Optional[int] = None
    # The properties of the design, with what was found about each.
    properties: List[JobProperty] = field(default_factory=list)
    # The whole result, and its page: files, seen from the report.
    result: Optional[str] = None


@dataclass(frozen=True)
class LabelRecord:
    """A place with what is said of it."""

    column: Optional[int]
    end_byte: int
    end_column: Optional[int]
    end_line: Optional[int]
    file: str
    line: Optional[int]
    start_byte: int
    text: str


@dataclass(frozen=True)
class Machine:
    """What the environment does, state by state."""

    states: List[MachineState]


@dataclass(frozen=True)
class MachineState:
    # What it plays; if the system moves first, for all outputs that are not listed.
    inputs: List[Setting]
    # The state after it, for the outputs of the system.
    next: List[Tuple[List[Setting], int]]


@dataclass(frozen=True)
class MutantCounts:
    # Edits that other parts of the work look at.
    elsewhere: int
    equivalent: int
    killed: int
    # Mutants that were not looked at, since a limit was reached.
    left: int
    # All that are designs.
    mutants: int
    survived: int
    unknown: int
    # Edits after which the text is no design, or none that can stand in its place.
    unreadable: int


@dataclass(frozen=True)
class MutantRecord:
    # What it changes, as a unified diff.
    diff: str
    edits: List[Edit]
    fate: FateWord
    # The same in each part of a campaign.
    number: int
    # Whether assumptions cannot be kept any more; the run breaks them.
    blocks_assumptions: bool = False
    # Outputs that differ in the last step of the run.
    differs: List[OutputDifference] = field(default_factory=list)
    # The properties that fail.
    killed_by: List[str] = field(default_factory=list)
    # Why it was not decided.
    reason: Optional[str] = None
    # The run on which a survivor differs from the original, whose outputs begin with
    # `reference.`; or a run on which the first property fails.
    trace: Optional[Run] = None


@dataclass(frozen=True)
class Mutation:
    counts: MutantCounts
    mutants: List[MutantRecord]
    # The score of each property, in the order of the specification.
    properties: List[PropertyScore]


@dataclass(frozen=True)
class OutputDifference:
    mutant: str
    # In binary.
    original: str
    output: str


@dataclass(frozen=True)
class PartOfRepair:
    """What a part of a repair was about. Places are numbered from 1 in the order of the design."""

    # The places where corrections are, vacuous ones included.
    found: List[int]
    # Whether no circuit with these ports keeps the properties, whichever place is changed.
    hopeless: bool
    # How many places were looked at, and how many the design has.
    looked_at: int
    of: int
    # Whether places are those of the netlist that Yosys made of a source.
    of_netlist: bool
    # Which parts, from 1, of how many.
    parts: List[int]
    places: int


@dataclass(frozen=True)
class PartRecord:
    """One of the jobs that a repair was split into: what it says is about its own places."""

    key: str
    # From 1.
    part: int
    reason: Optional[str]
    # The verdict's word, ERROR, or nothing if the job was not run.
    verdict: Optional[str]
    corrections: Optional[int] = None
    page: Optional[str] = None
    processor_ms: Optional[int] = None
    result: Optional[str] = None


@dataclass(frozen=True)
class PlaceOfFault:
    """What failing runs say of a place in a source. It is no correction, and not about all runs."""

    bits: int
    column: Optional[int]
    end_byte: int
    end_column: Optional[int]
    end_line: Optional[int]
    file: str
    # `rhs`, `condition` or `label`.
    kind: str
    line: Optional[int]
    mended: int
    # The failing runs that were looked at, and how many of them other values there mend.
    runs: int
    start_byte: int
    # In how many steps of a run, at most, the value has to change, and how many bits.
    steps: int
    # What stands there.
    text: str


@dataclass(frozen=True)
class PlaceRecord:
    """Lines and columns count from 1, bytes from 0; ends are one past the last. In a binary file
    there are no lines.
    """

    column: Optional[int]
    end_byte: int
    end_column: Optional[int]
    end_line: Optional[int]
    file: str
    line: Optional[int]
    start_byte: int


@dataclass(frozen=True)
class Play:
    # What it comes to, in sentences.
    conclusion: List[str]
    # The step that follows the last one.
    loop_start: Optional[int]
    steps: List[Step]
    # Which systems it is about, if not about all.
    condition: Optional[str] = None


@dataclass(frozen=True)
class PropertyResult:
    name: str
    place: Optional[PlaceRecord]
    # Why it is not known.
    reason: Optional[str]
    # A run that violates it, or one that covers it.
    trace: Optional[Run]
    # PASS, FAIL or UNKNOWN.
    verdict: Literal["PASS", "FAIL", "UNKNOWN"]
    # Who has found the verdict: decision diagrams or the solver for satisfiability; nothing if it
    # is not known, or for what is judged on infinite runs only.
    engine: Optional[EngineWord] = None
    # Whether some run should show it; otherwise all runs have to keep it.
    is_cover: bool = False
    # Whether the reset that was played first stays off (`once`) or may come again at any time
    # (`again`); nothing if none was played.
    reset: Optional[ResetWord] = None
    # Why it says nothing although it holds.
    vacuous: Optional[VacuousWord] = None


@dataclass(frozen=True)
class PropertyScore:
    # Those on which no other property fails.
    alone: int
    # Mutants on which it fails.
    kills: int
    name: str
    place: Optional[PlaceRecord]


@dataclass(frozen=True)
class RecordedResult:
    """A recorded run, and whether the design shows its values."""

    file: str
    # How many cycles fit, and how many values were compared in them; of a run that does not fit,
    # nothing is counted.
    cycles: Optional[int] = None
    difference: Optional[DifferenceRecord] = None
    # How many of 64 drawn choices of unknown values show all values; all do if it is not said.
    draws: Optional[int] = None
    values: Optional[int] = None


@dataclass(frozen=True)
class Run:
    # The step that follows the last one, in an infinite run.
    loop_start: Optional[int]
    signals: List[Signal]
    # How many steps there are.
    steps: int


@dataclass(frozen=True)
class Satisfiable:
    """Whether some play keeps each side, and both; nothing if a limit was reached first."""

    assumptions: Optional[bool]
    both: Optional[bool]
    guarantees: Optional[bool]


@dataclass(frozen=True)
class Separation:
    # Empty if well-separated.
    cases: List[Case]
    certified: bool
    conclusion: Optional[str]
    core: List[Item]
    # How it is forced from there.
    forcing: List[Step]
    # A core of safety assumptions only, where there is one.
    safety_core: List[Item]
    # From a first state to where the violation can be forced.
    trace: List[Step]
    # With the system's own safety kept.
    with_guarantees: Optional[List[Case]]


@dataclass(frozen=True)
class Setting:
    name: str
    # Nothing where the system may choose.
    value: Optional[str]


@dataclass(frozen=True)
class Signal:
    kind: SignalKind
    name: str
    # Whether the property depends on it; tables leave out the others.
    relevant: bool
    # One for each step; `None` where the run is the same for every value.
    values: List[Optional[str]]
    width: int


@dataclass(frozen=True)
class Slower:
    before_ms: int
    name: str
    now_ms: int


@dataclass(frozen=True)
class Specification:
    """`respin check` in numbers."""

    assumptions: Constraints
    # Made for past operators, patterns and the like; they are not counted as the system's.
    auxiliary: Variables
    environment: Variables
    format: Format
    guarantees: Constraints
    name: str
    # What was asked and is answered, or given up, in this order.
    parts: List[CheckedPart]
    satisfiable: Satisfiable
    # Processor time of the engine.
    seconds: float
    semantics: Semantics
    # Whether the system can make the environment break its assumptions; nothing if a limit was
    # reached first.
    separation: Optional[str]
    system: Variables
    # Assumptions without any one of which the verdict is the same; nothing if a limit was reached
    # first.
    unhelpful: Optional[List[str]]
    # The time that has passed.
    wall_seconds: float
    # If the specification is not a GR(1) one: its sections with their numbers of formulas. The
    # two fields before are then empty.
    sections: List[Tuple[Section, int]] = field(default_factory=list)
    # Whether outputs are chosen before the inputs of the same step are seen.
    system_moves_first: bool = False


@dataclass(frozen=True)
class Step:
    inputs: List[Setting]
    outputs: List[Setting]
    # Which requirement forces what.
    reasons: List[str]


@dataclass(frozen=True)
class Variables:
    bits: int
    count: int


@dataclass(frozen=True)
class Weakening:
    guarantee: Item
    # What could stand in its place; certified to be enough.
    replacement: str
    # The same as a file of TLSF has it, if the specification is one.
    written: Optional[Written] = None


@dataclass(frozen=True)
class Written:
    """A formula as a file of TLSF has it."""

    section: Section
    # Without the `G` that the section puts around it.
    text: str


@dataclass(frozen=True)
class Report:
    """One report: what a command found."""

    # The command that was run; null if the command line could not be read.
    command: Optional[str]
    diagnostics: List[DiagnosticRecord]
    # Why, in one sentence without a full stop.
    reason: Optional[str]
    schema: int
    # Null for a command that answers no question.
    verdict: Optional[Word]
    # Inputs that tell corrections apart which fit the same recorded runs.
    apart: List[ApartRecord] = field(default_factory=list)
    # What the jobs of a campaign have found.
    campaign: Optional[CampaignReport] = None
    # Ways to repair the design, the best first.
    corrections: List[Correction] = field(default_factory=list)
    # How the environment wins though all suspects are replaced at once.
    counterplay: Optional[Counterplay] = None
    # The best correction as a unified diff.
    diff: Optional[str] = None
    explanation: Optional[Explanation] = None
    # What became of the mutants of a design.
    mutation: Optional[Mutation] = None
    # What else there is to know, one line each.
    notes: List[str] = field(default_factory=list)
    # A text that the command made.
    output: Optional[str] = None
    # What a part of a repair was about.
    part: Optional[PartOfRepair] = None
    # Where other values mend failing runs, the likeliest places first, if no correction is known.
    places: List[PlaceOfFault] = field(default_factory=list)
    properties: List[PropertyResult] = field(default_factory=list)
    # What was found about each recorded run.
    recorded: List[RecordedResult] = field(default_factory=list)
    # The steps of a play or a simulation.
    run: Optional[Run] = None
    specification: Optional[Specification] = None
