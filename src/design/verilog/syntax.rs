//! The syntax tree of a Verilog file: what was written, with its span, and nothing else.
//!
//! Expressions are those of [`crate::expr`], targets of assignments included. Names are not
//! resolved, widths not known.

use crate::expr::{Expr, Role, Sva};
use crate::source::Span;

/// A name where it is declared or used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Module {
    pub name: Identifier,
    pub is_package: bool,
    pub is_interface: bool,
    /// A module whose ports are inputs and have types, and which is no top module.
    pub is_checker: bool,
    pub parameters: Vec<Parameter>,
    /// In the order of the header, for connections by position.
    pub ports: Vec<Identifier>,
    pub items: Vec<Item>,
    /// `endmodule`.
    pub end: Span,
}

impl Module {
    /// The port that a connection is about, by its name or by its position.
    pub fn port_of(&self, connection: &Connection, position: usize) -> Option<&Identifier> {
        match &connection.name {
            Some(name) => self.ports.iter().find(|port| port.text == name.text),
            None => self.ports.get(position),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Identifier,
    pub data_type: Option<DataType>,
    /// Of an array.
    pub dimensions: Vec<Dimension>,
    pub value: Option<Expr>,
    /// Whether it cannot be set from outside.
    pub local: bool,
    /// `parameter type T = ...`
    pub type_value: Option<DataType>,
}

#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Parameter(Parameter),
    Declaration(Declaration),
    /// With the dimensions behind the name.
    TypeDefinition(Identifier, DataType, Vec<Dimension>),
    Assign(Vec<Assignment>),
    Always(Always),
    Initial(Statement),
    Instance(Instance),
    Bind(Bind),
    Gate(Gate),
    /// `defparam path = value`
    DefineParameter(Expr, Expr),
    Routine(Routine),
    GenerateFor(GenerateFor),
    GenerateIf {
        condition: Expr,
        then: GenerateBlock,
        otherwise: Option<GenerateBlock>,
    },
    GenerateCase {
        selector: Expr,
        /// Without labels: the default.
        items: Vec<(Vec<Expr>, GenerateBlock)>,
    },
    GenerateBlock(GenerateBlock),
    /// `import package::name;`, or `*` for all.
    Import(Identifier, Option<Identifier>),
    Assertion(Assertion),
    PropertyDeclaration(PropertyDeclaration),
    /// `let name(arguments) = expression;`
    Let(PropertyDeclaration),
    /// `default clocking @(posedge clk); endclocking`
    DefaultClocking(Edge),
    /// `default disable iff (condition);`
    DefaultDisable(Expr),
    /// A port that is an interface, or an array of them.
    InterfacePort {
        /// `None` where any interface may be connected.
        interface: Option<Identifier>,
        name: Identifier,
        dimension: Option<Dimension>,
    },
    /// `$error(...)` or `$fatal(...)`: a design that has it is wrong.
    ElaborationError,
    /// Something that is read and has no meaning for a circuit, such as a lone `;`.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct GenerateBlock {
    pub name: Option<Identifier>,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub struct GenerateFor {
    pub variable: Identifier,
    pub start: Expr,
    pub condition: Expr,
    /// The value after each step.
    pub step: Expr,
    pub block: GenerateBlock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
    /// Driven from one side or the other.
    Both,
}

/// What several drivers of a net make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// `wand`, `triand`
    And,
    /// `wor`, `trior`
    Or,
}

/// Names of one type.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub direction: Option<Direction>,
    /// `wire` and its kin; a variable otherwise.
    pub is_net: bool,
    pub is_genvar: bool,
    pub resolution: Option<Resolution>,
    /// What the environment chooses, by an attribute: `$anyconst` or `$anyseq`.
    pub free: Option<FreeValue>,
    /// `None` where only a direction or `wire` was written.
    pub data_type: Option<DataType>,
    pub names: Vec<Declarator>,
}

/// What the environment chooses once, or in each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeValue {
    Constant,
    Sequence,
    /// The clock that every step of the design is one of, by the attribute `gclk`.
    GlobalClock,
}

#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Identifier,
    /// `[0:15]` behind the name.
    pub dimensions: Vec<Dimension>,
    pub value: Option<Expr>,
}

/// `[left:right]`, or `[count]` behind a name.
#[derive(Clone, Debug)]
pub struct Dimension {
    pub left: Expr,
    pub right: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct DataType {
    pub kind: TypeKind,
    /// Whether no word for a type was written, but a sign or a range, or nothing.
    pub is_implicit: bool,
    /// Whether the word that was written is one of a two-state type.
    pub two_state: bool,
    pub signed: Option<bool>,
    /// Packed dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
    pub span: Span,
}

/// Fields of a structure that are declared together.
#[derive(Clone, Debug)]
pub struct FieldNames {
    pub data_type: DataType,
    /// With the dimensions behind each name.
    pub names: Vec<(Identifier, Vec<Dimension>)>,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `logic`, `reg`, `bit` or nothing.
    Logic,
    /// `integer`, `int`, `byte` and their kin: a width and whether signed.
    Integer(usize, bool),
    Enumeration {
        base: Option<Box<DataType>>,
        members: Vec<(Identifier, Option<Expr>)>,
    },
    Structure(Vec<FieldNames>),
    Union(Vec<FieldNames>),
    /// A type that was defined before, maybe in a package.
    Named(Vec<Identifier>),
}

#[derive(Clone, Debug)]
pub struct Assignment {
    pub target: Expr,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Always {
    pub kind: AlwaysKind,
    /// Edges of the sensitivity list; none for combinational logic.
    pub edges: Vec<Edge>,
    /// Signals of a list without edges; none for `@*` and where there is no list.
    pub levels: Vec<Expr>,
    pub body: Statement,
    /// `always`, up to and including the sensitivity list.
    pub head: Span,
}

/// What a block waits for.
#[derive(Clone, Debug, Default)]
pub struct Sensitivity {
    pub edges: Vec<Edge>,
    pub levels: Vec<Expr>,
    /// `posedge clk iff condition`, of the only edge.
    pub only_if: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlwaysKind {
    Plain,
    Combinational,
    Registers,
    Latch,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub rising: bool,
    pub signal: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Nothing,
    Block {
        name: Option<Identifier>,
        declarations: Vec<Item>,
        statements: Vec<Statement>,
    },
    Assign {
        target: Expr,
        value: Expr,
        blocking: bool,
        /// `=` or `<=`.
        operator: Span,
        /// Whether the target is also read, as in `a += b` and `a++`; `value` then has the
        /// whole sum, which was not written so.
        compound: bool,
    },
    If {
        condition: Expr,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    Case {
        kind: CaseKind,
        selector: Expr,
        items: Vec<CaseItem>,
        /// `endcase`
        end: Span,
    },
    For {
        /// Of a variable that the loop declares, its type.
        declares: Option<DataType>,
        start: Box<Statement>,
        condition: Expr,
        step: Box<Statement>,
        body: Box<Statement>,
    },
    While(Expr, Box<Statement>),
    /// The body comes first.
    DoWhile(Box<Statement>, Expr),
    Break,
    Continue,
    Repeat(Expr, Box<Statement>),
    Call(Identifier, Vec<Expr>),
    Return(Option<Expr>),
    ReadMemory(Box<ReadMemory>),
    /// `$display` and the like: nothing that a circuit does.
    SystemTask,
    Assertion(Box<Assertion>),
}

impl Statement {
    /// The statements inside of it, in their order; not those that start and step a loop.
    pub fn inner(&self) -> Vec<&Statement> {
        match &self.kind {
            StatementKind::Block { statements, .. } => statements.iter().collect(),
            StatementKind::If {
                then, otherwise, ..
            } => [then]
                .into_iter()
                .chain(otherwise)
                .map(|one| &**one)
                .collect(),
            StatementKind::Case { items, .. } => items.iter().map(|item| &item.body).collect(),
            StatementKind::For { body, .. }
            | StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::Repeat(_, body) => vec![body],
            StatementKind::Nothing
            | StatementKind::Assign { .. }
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Call(..)
            | StatementKind::Return(_)
            | StatementKind::ReadMemory(_)
            | StatementKind::SystemTask
            | StatementKind::Assertion(_) => Vec::new(),
        }
    }
}

/// `$readmemh("file", memory, start, end)`, or `$readmemb`
#[derive(Clone, Debug)]
pub struct ReadMemory {
    pub is_hexadecimal: bool,
    pub file: DataFile,
    pub target: Expr,
    pub start: Option<Expr>,
    pub end: Option<Expr>,
    pub span: Span,
}

/// The name of a file with the words of a memory.
#[derive(Clone, Debug)]
pub enum DataFile {
    /// As it is written.
    Written(String),
    /// By an expression, as that of a parameter.
    Computed(Expr),
}

/// `assert`, `assume`, `cover` or `restrict`.
#[derive(Clone, Debug)]
pub struct Assertion {
    pub role: Role,
    pub label: Option<Identifier>,
    pub body: AssertionBody,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AssertionBody {
    /// `assert (condition);`
    Immediate(Expr),
    /// `assert property (...);`
    Concurrent(Box<PropertySpec>),
}

/// What stands in the parentheses of `assert property (...)`, or between `property` and
/// `endproperty`.
#[derive(Clone, Debug)]
pub struct PropertySpec {
    pub clock: Option<Edge>,
    pub disable: Option<Expr>,
    pub body: Sva<Expr>,
}

/// A property or sequence with a name.
#[derive(Clone, Debug)]
pub struct PropertyDeclaration {
    pub name: Identifier,
    pub arguments: Vec<PropertyArgument>,
    /// Local variables.
    pub variables: Vec<PropertyArgument>,
    pub spec: PropertySpec,
}

impl PropertyDeclaration {
    /// A sequence or property that is written where an argument is given. Names in it mean what
    /// they mean there.
    pub fn argument(body: Sva<Expr>, span: Span, position: usize) -> PropertyDeclaration {
        PropertyDeclaration {
            name: Identifier {
                text: format!("{ARGUMENT}{position}"),
                span,
            },
            arguments: Vec::new(),
            variables: Vec::new(),
            spec: PropertySpec {
                clock: None,
                disable: None,
                body,
            },
        }
    }

    pub fn is_argument(&self) -> bool {
        self.name.text.starts_with(ARGUMENT)
    }
}

/// How names begin that no user can write.
const ARGUMENT: &str = "argument$";

/// What a property or sequence is used with.
#[derive(Clone, Debug)]
pub struct PropertyArgument {
    pub name: Identifier,
    /// The type that what is given is converted to.
    pub data_type: Option<DataType>,
    pub default: Option<Expr>,
}

pub use crate::expr::UNBOUNDED;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseKind {
    Exact,
    /// `casez`
    HighImpedance,
    /// `casex`
    Unknown,
    /// `case ... inside`
    Inside,
}

#[derive(Clone, Debug)]
pub struct CaseItem {
    /// None: the default.
    pub labels: Vec<Expr>,
    pub body: Statement,
}

/// A function or a task.
#[derive(Clone, Debug)]
pub struct Routine {
    pub name: Identifier,
    /// `None` for a task.
    pub result: Option<DataType>,
    pub arguments: Vec<Argument>,
    pub declarations: Vec<Item>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct Argument {
    pub direction: Direction,
    pub name: Identifier,
    pub data_type: DataType,
}

/// `and g1 (y, a, b)`: one of the gates that the language has.
#[derive(Clone, Debug)]
pub struct Gate {
    pub kind: GateKind,
    /// The word for its kind.
    pub word: Span,
    pub outputs: Vec<Expr>,
    pub inputs: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateKind {
    And,
    Nand,
    Or,
    Nor,
    Xor,
    Xnor,
    Buffer,
    Not,
}

impl GateKind {
    pub const ALL: [(&'static str, GateKind); 8] = [
        ("and", GateKind::And),
        ("nand", GateKind::Nand),
        ("or", GateKind::Or),
        ("nor", GateKind::Nor),
        ("xor", GateKind::Xor),
        ("xnor", GateKind::Xnor),
        ("buf", GateKind::Buffer),
        ("not", GateKind::Not),
    ];

    pub fn of(word: &str) -> Option<GateKind> {
        let found = GateKind::ALL.into_iter().find(|(known, _)| *known == word);
        found.map(|(_, kind)| kind)
    }

    /// Whether it has one input and any number of outputs.
    pub fn is_single(self) -> bool {
        matches!(self, GateKind::Buffer | GateKind::Not)
    }
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub module: Identifier,
    pub parameters: Vec<Connection>,
    pub instances: Vec<SingleInstance>,
}

/// `bind target checker name (...);`, or `bind module : path, path checker name (...);`
#[derive(Clone, Debug)]
pub struct Bind {
    /// A module, or the path of an instance.
    pub target: InstancePath,
    /// Instances of the module; all of them if there are none.
    pub chosen: Vec<InstancePath>,
    pub instance: Instance,
}

/// `top.block[2].unit`
#[derive(Clone, Debug)]
pub struct InstancePath {
    pub parts: Vec<String>,
    pub span: Span,
}

impl InstancePath {
    pub fn text(&self) -> String {
        self.parts.join(".")
    }
}

#[derive(Clone, Debug)]
pub struct SingleInstance {
    pub name: Identifier,
    /// Of an array of instances.
    pub dimension: Option<Dimension>,
    pub connections: Vec<Connection>,
    pub span: Span,
}

/// `.name(value)`, or a value by position.
#[derive(Clone, Debug)]
pub struct Connection {
    pub name: Option<Identifier>,
    pub value: ConnectionValue,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ConnectionValue {
    Expression(Expr),
    /// `.name()`
    Open,
    /// `.*`
    AllOthers,
    /// A type given to a type parameter.
    Type(DataType),
}
