//! Concurrent assertions on single runs, and on designs that play some of them.

use super::cases::{Case, cases};
use super::evaluator::{Letter, Property, Word, holds};
use super::{folder, verdict};
use respin::design::{Design, Literal, Simulator, verilog};
use respin::expr::ExprKind;
use respin::random::Random;
use respin::source::Sources;
use respin::spec::{Atom, Lasso, Spec};
use std::fmt::Write;

const RUNS: usize = 1000;
/// Runs that a design chooses from.
const CHOICES: usize = 16;
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Mostly short, with few ones or many.
pub fn random_word(random: &mut Random) -> Word {
    let length = 1 + random.below(6);
    let density = 1 + random.below(4);
    let mut value = || {
        let mut values = 0;
        for bit in 0..4 {
            let limit = if bit == 3 { 1 } else { density };
            values |= ((random.below(5) < limit) as u8) << bit;
        }
        Letter::Values(values)
    };
    let letters: Vec<Letter> = (0..length).map(|_| value()).collect();
    Word {
        loop_start: random.below(length),
        letters,
    }
}

fn values(letter: Letter) -> u8 {
    match letter {
        Letter::Values(values) => values,
        Letter::Top | Letter::Bottom => 0,
    }
}

/// A module that plays one of some runs; which one is nobody's business.
fn player(words: &[Word], case: &Case) -> String {
    let mut table = String::new();
    for (number, word) in words.iter().enumerate() {
        for (time, letter) in word.letters.iter().enumerate() {
            let next = match time + 1 < word.letters.len() {
                true => time + 1,
                false => word.loop_start,
            };
            let _ = writeln!(
                table,
                "      {{4'd{number}, 3'd{time}}}: {{next, d, c, b, a}} = {{3'd{next}, 4'd{}}};",
                values(*letter)
            );
        }
    }
    format!(
        "module player (input clk);
  reg [3:0] which;
  reg [2:0] step = 0, next;
  reg a, b, c, d;
  always @* begin
    {{next, d, c, b, a}} = 7'd0;
    case ({{which, step}})
{table}      default: ;
    endcase
  end
  always @(posedge clk) begin
    which <= which;
    step <= next;
  end
  {}
  checked: assert property (@(posedge clk) {});
endmodule
",
        case.before, case.text
    )
}

/// The assertion of a case over free signals.
pub struct Bare {
    design: Design,
    spec: Spec,
    /// For each atom of the formula the literal of its condition.
    atoms: Vec<(usize, Literal)>,
}

impl Bare {
    fn new(case: &Case) -> Bare {
        Bare::read(case.before, case.text).unwrap_or_else(|| panic!("`{}` is refused", case.text))
    }

    /// None if it is refused.
    pub fn read(before: &str, property: &str) -> Option<Bare> {
        let text = format!(
            "module bare (input clk, input a, input b, input c, input d);
  {before}
  checked: assert property (@(posedge clk) {property});
endmodule
"
        );
        let mut sources = Sources::default();
        let file = sources.add("case.sv", text);
        let tree = verilog::parse(&sources, &[file], &|_, _| None, &[]);
        let tree = tree.unwrap_or_else(|problem| panic!("{property}: {problem:?}"));
        let elaborated = verilog::elaborate(&tree, &verilog::Options::default());
        let elaborated = elaborated.unwrap_or_else(|problem| panic!("{property}: {problem:?}"));
        let mut spec = Spec::new();
        spec.add_items(&elaborated.properties).ok()?;
        let design = elaborated.design;
        let mut atoms = Vec::new();
        for id in spec.formulas.atom_ids() {
            if let Atom::Condition(expr) = spec.formulas.atom(id)
                && let ExprKind::Name(path) = &expr.kind
            {
                let word = design.signal(&path[0]).expect("a condition is a word");
                atoms.push((id.index(), word.bits[0]));
            }
        }
        Some(Bare {
            design,
            spec,
            atoms,
        })
    }

    /// Whether the formula that respin reads holds on a run.
    pub fn satisfies(&self, word: &Word) -> bool {
        let mut simulator = Simulator::new(&self.design).expect("no loops");
        simulator.start(|_| 0);
        let mut steps = Vec::new();
        for letter in &word.letters {
            let bits = values(*letter);
            simulator.settle(|id| {
                let name = self.design.name(id).unwrap_or_default();
                match NAMES.iter().position(|known| *known == name) {
                    Some(place) if bits >> place & 1 == 1 => u64::MAX,
                    _ => 0,
                }
            });
            let most = self.atoms.iter().map(|(index, _)| index + 1).max();
            let mut step = vec![false; most.unwrap_or(0)];
            for (index, literal) in &self.atoms {
                step[*index] = simulator.value(*literal) & 1 == 1;
            }
            steps.push(step);
            simulator.advance();
        }
        let cycle = steps.split_off(word.loop_start);
        let lasso = Lasso::new(steps, cycle).expect("a loop");
        lasso.satisfies(&self.spec.formulas, self.spec.properties[0].formula)
    }
}

#[test]
fn concurrent_assertions_mean_what_the_standard_says() {
    let folder = folder("player");
    let mut judged = 0;
    for (number, case) in cases().into_iter().enumerate() {
        let seed = number as u64;
        let mut random = Random::new(seed);
        let everywhere = Property::Always(0, None, Box::new(case.property.clone()));
        let bare = Bare::new(&case);
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let word = random_word(&mut random);
            let expected = holds(&word, &everywhere, 0);
            let found = bare.satisfies(&word);
            assert_eq!(
                found, expected,
                "seed {seed}: `{}` on {:?}, loop from {}",
                case.text, word.letters, word.loop_start
            );
            match expected {
                true => good.push(word),
                false => bad.push(word),
            }
        }
        assert!(
            good.len() >= CHOICES,
            "`{}`: {} good runs",
            case.text,
            good.len()
        );
        assert!(!bad.is_empty(), "`{}`: no bad run", case.text);
        good.truncate(CHOICES);
        let passing = verdict(&player(&good, &case), &format!("passing{number}"), &folder);
        assert_eq!(passing, "PASS", "`{}` ({number})", case.text);
        good[number % CHOICES] = bad.swap_remove(0);
        let failing = verdict(&player(&good, &case), &format!("failing{number}"), &folder);
        assert_eq!(failing, "FAIL", "`{}` ({number})", case.text);
        judged += 1;
    }
    assert!(judged >= 60, "{judged} cases");
}
