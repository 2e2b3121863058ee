//! Small designs with a fault and wide comparisons.

use respin::random::Random;
use std::fmt::Write;

#[derive(Clone, Debug)]
pub struct Case {
    width: usize,
    /// What the word `a` is compared with; none for the word `b`.
    code: Option<u64>,
    /// The low bits that the imprecise comparison leaves out.
    ignored: usize,
    /// Whether the output also waits for `en`.
    enable: bool,
    /// Whether the right comparison has a name.
    named: bool,
    decoys: Vec<Decoy>,
    shape: Shape,
    fault: Fault,
    property: Property,
    /// Whether only the line with the fault is a suspect.
    narrow: bool,
}

/// Other conditions of the design, for wrong corrections to read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Decoy {
    /// The high bits alone.
    Near,
    /// The low bits alone.
    Low,
    /// The high bits, and all is zero: hardly ever true.
    Trap,
    /// All ones.
    Full,
    /// Another number.
    Other,
    Above,
}

const DECOYS: [Decoy; 6] = [
    Decoy::Near,
    Decoy::Low,
    Decoy::Trap,
    Decoy::Full,
    Decoy::Other,
    Decoy::Above,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// The output follows at once.
    Wire,
    /// One cycle later.
    Register,
    /// One cycle later, and for ever.
    Sticky,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// A decoy in place of the comparison.
    Signal(Decoy),
    Literal(u64),
    Operator(&'static str),
    Negated,
    Constant,
    /// `||` where `&&` belongs.
    Connective,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Property {
    /// The output is exactly this.
    Exact,
    /// The same in two assertions.
    Parts,
    /// The output may also come where only the high bits fit.
    Loose,
}

impl Case {
    pub fn random(random: &mut Random) -> Case {
        // Two words that are compared make large diagrams.
        let words = random.chance(15);
        let width = if words { 12 } else { 12 + random.below(13) };
        // Neither all zeros nor all ones, which random runs see more often.
        let code = 1 + random.word() % ((1 << width) - 2);
        let enable = random.chance(40);
        let mut decoys: Vec<Decoy> = DECOYS.to_vec();
        random.shuffle(&mut decoys);
        decoys.truncate(1 + random.below(3));
        let shape = *random.pick(&[Shape::Wire, Shape::Wire, Shape::Register, Shape::Sticky]);
        let fault = match random.below(10) {
            0..=4 => Fault::Signal(decoys[0]),
            5 => Fault::Literal(1 << random.below(width)),
            6 => Fault::Operator(random.pick::<&str>(&["!=", ">=", "<", "<="])),
            7 => Fault::Negated,
            // A branch that can never be taken is no part of a circuit.
            8 if shape != Shape::Sticky => Fault::Constant,
            _ if enable => Fault::Connective,
            _ => Fault::Literal(1 << random.below(width)),
        };
        Case {
            width,
            code: (!words).then_some(code),
            ignored: 4 + random.below(width - 8),
            enable,
            named: random.chance(70),
            decoys,
            shape,
            fault,
            property: *random.pick(&[Property::Exact, Property::Parts, Property::Loose]),
            narrow: random.chance(30),
        }
    }

    /// A comparison of 32 bits whose output looks at the high ones only.
    pub fn wide() -> Case {
        Case {
            width: 32,
            code: Some(0xbad5_eed5),
            ignored: 20,
            enable: false,
            named: true,
            decoys: vec![Decoy::Near],
            shape: Shape::Wire,
            fault: Fault::Signal(Decoy::Near),
            property: Property::Exact,
            narrow: true,
        }
    }

    /// Cases that are a little smaller.
    pub fn smaller(&self) -> Vec<Case> {
        let mut all = Vec::new();
        let mut add = |change: &dyn Fn(&mut Case)| {
            let mut case = self.clone();
            change(&mut case);
            all.push(case);
        };
        for index in 0..self.decoys.len() {
            if self.fault != Fault::Signal(self.decoys[index]) {
                add(&|case| {
                    case.decoys.remove(index);
                });
            }
        }
        if self.enable && self.fault != Fault::Connective {
            add(&|case| case.enable = false);
        }
        if self.narrow {
            add(&|case| case.narrow = false);
        }
        if self.shape != Shape::Wire {
            add(&|case| case.shape = Shape::Wire);
        }
        if self.property != Property::Exact {
            add(&|case| case.property = Property::Exact);
        }
        if self.code.is_none() {
            add(&|case| case.code = Some(1));
        }
        if self.code.is_some_and(|code| code > 1) {
            add(&|case| case.code = Some(1));
        }
        if self.ignored > 4 {
            add(&|case| case.ignored -= 1);
        }
        all
    }

    fn high(&self) -> String {
        format!("[{}:{}]", self.width - 1, self.ignored)
    }

    fn number(&self, width: usize, value: u64) -> String {
        format!("{width}'h{value:X}")
    }

    /// `a` compared with what it should be.
    fn comparison(&self, operator: &str, flipped: u64) -> String {
        match self.code {
            Some(code) => {
                let number = self.number(self.width, code ^ flipped);
                format!("a {operator} {number}")
            }
            None if flipped != 0 => format!("a {operator} (b ^ {flipped})"),
            None => format!("a {operator} b"),
        }
    }

    fn near(&self) -> String {
        let high = self.high();
        match self.code {
            Some(code) => {
                let number = self.number(self.width - self.ignored, code >> self.ignored);
                format!("a{high} == {number}")
            }
            None => format!("a{high} == b{high}"),
        }
    }

    fn decoy(&self, decoy: Decoy) -> (&'static str, String) {
        let low = format!("[{}:0]", self.ignored - 1);
        match decoy {
            Decoy::Near => ("near", self.near()),
            Decoy::Low => {
                let text = match self.code {
                    Some(code) => {
                        let number = self.number(self.ignored, code & ((1 << self.ignored) - 1));
                        format!("a{low} == {number}")
                    }
                    None => format!("a{low} == b{low}"),
                };
                ("low", text)
            }
            Decoy::Trap => ("trap", format!("{} && a == 0", self.near())),
            Decoy::Full => ("full", "&a".to_string()),
            Decoy::Other => ("other", format!("a == {}", self.number(self.width, 1))),
            Decoy::Above => ("above", self.comparison(">", 0)),
        }
    }

    /// The condition of the output, right or wrong.
    fn condition(&self) -> String {
        let right = || match self.named {
            true => "hit".to_string(),
            false => format!("({})", self.comparison("==", 0)),
        };
        let core = match self.fault {
            Fault::Signal(decoy) => self.decoy(decoy).0.to_string(),
            Fault::Literal(bit) => format!("({})", self.comparison("==", bit)),
            Fault::Operator(operator) => format!("({})", self.comparison(operator, 0)),
            Fault::Negated => format!("!{}", right()),
            Fault::Constant => "1'b0".to_string(),
            Fault::Connective => right(),
        };
        match (self.enable, self.fault) {
            (false, _) => core,
            (true, Fault::Connective) => format!("{core} || en"),
            (true, _) => format!("{core} && en"),
        }
    }

    fn ports(&self) -> Vec<(String, &'static str)> {
        let word = format!("[{}:0] ", self.width - 1);
        let mut ports = vec![(String::new(), "clk"), (word.clone(), "a")];
        if self.code.is_none() {
            ports.push((word, "b"));
        }
        if self.enable {
            ports.push((String::new(), "en"));
        }
        ports
    }

    /// The faulty design, one statement to a line.
    pub fn text(&self) -> String {
        let mut text = "module match(".to_string();
        for (range, name) in self.ports() {
            let _ = write!(text, "input {range}{name}, ");
        }
        text.push_str("output y);\n");
        for decoy in &self.decoys {
            let (name, value) = self.decoy(*decoy);
            let _ = writeln!(text, "    wire {name} = ({value});");
        }
        if self.named {
            let _ = writeln!(text, "    wire hit = ({});", self.comparison("==", 0));
        }
        let condition = self.condition();
        let _ = match self.shape {
            Shape::Wire => writeln!(text, "    assign y = {condition};"),
            Shape::Register => writeln!(
                text,
                "    reg q = 1'b0;\n    always @(posedge clk) q <= {condition};\n    assign y = q;"
            ),
            Shape::Sticky => writeln!(
                text,
                "    reg q = 1'b0;\n    always @(posedge clk) if ({condition}) q <= 1'b1;\n    \
                 assign y = q;"
            ),
        };
        text.push_str("endmodule\n");
        text
    }

    /// The suspects, as an option of the command.
    pub fn suspects(&self) -> Option<String> {
        let text = self.text();
        let mut lines = text.lines();
        let is_output = |line: &str| line.contains("assign y = ") || line.contains("always ");
        let line = lines.position(is_output)? + 1;
        self.narrow.then(|| format!("--only=match.v:{line}"))
    }

    /// What the condition should be, and what it may be.
    fn wanted(&self) -> (String, String) {
        let with_enable = |core: String| match self.enable {
            true => format!("(({core}) && en)"),
            false => format!("({core})"),
        };
        let exact = with_enable(self.comparison("==", 0));
        let allowed = match self.property {
            Property::Loose => with_enable(self.near()),
            _ => exact.clone(),
        };
        (exact, allowed)
    }

    /// The property file.
    pub fn properties(&self) -> String {
        let (must, may) = self.wanted();
        match (self.shape, self.property) {
            (Shape::Wire, Property::Exact) => format!("assert exact: G (y <-> {must});\n"),
            (Shape::Wire, _) => {
                format!("assert comes: G ({must} -> y);\nassert only: G (y -> {may});\n")
            }
            (Shape::Register, Property::Exact) => {
                format!("assert start: !y;\nassert exact: G (X y <-> {must});\n")
            }
            (Shape::Register, _) => format!(
                "assert start: !y;\nassert comes: G ({must} -> X y);\n\
                 assert only: G (X y -> {may});\n"
            ),
            (Shape::Sticky, _) => format!(
                "assert start: !y;\nassert comes: G ({must} -> X y);\nassert stays: G (y -> X y);\n\
                 assert only: G ((!y & !{may}) -> X !y);\n"
            ),
        }
    }

    /// A module whose output `bad` is 1 where the properties fail, written without them.
    pub fn checker(&self) -> String {
        let (must, may) = self.wanted();
        let mut text = "module watch(".to_string();
        for (range, name) in self.ports() {
            let _ = write!(text, "input {range}{name}, ");
        }
        text.push_str("output bad);\n    wire y;\n    match dut(");
        for (_, name) in self.ports() {
            let _ = write!(text, ".{name}({name}), ");
        }
        let _ = write!(
            text,
            ".y(y));\n    wire must = {must};\n    wire may = {may};\n    reg owed = 1'b0;\n    \
             reg allowed = 1'b0;\n    reg before = 1'b0;\n    always @(posedge clk) begin\n        \
             owed <= must;\n        allowed <= may;\n        before <= y;\n    end\n"
        );
        text.push_str(match self.shape {
            Shape::Wire => "    assign bad = (must && !y) || (y && !may);\n",
            Shape::Register => "    assign bad = (owed && !y) || (y && !allowed);\n",
            Shape::Sticky => {
                "    assign bad = ((owed || before) && !y) || (y && !allowed && !before);\n"
            }
        });
        text.push_str("endmodule\n");
        text
    }
}
