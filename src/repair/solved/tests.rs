//! What the solver finds for a place, compared with all constants, one by one.

use super::*;
use crate::design::InputKind;
use crate::load::{DesignOptions, Purpose, design_from_texts};
use crate::random::Random;
use crate::repair::recorded_screen::{Score, score};
use crate::repair::screen::Screen;
use crate::subject::Subject;
use crate::trace::{Format, Interface, Options};
use std::collections::BTreeSet;

const STEPS: usize = 6;

/// A small design with literals of all kinds, and what it should keep.
fn random_text(random: &mut Random) -> (String, String) {
    let mut digit = |width: u32| {
        let value = random.word() % (1 << width);
        format!("{width}'d{value}")
    };
    let text = format!(
        "module m(input clk, input [1:0] a, input b, output reg [2:0] q = 3'd0, output y);\n\
         wire [2:0] mixed = {{a, b}} ^ {};\n\
         assign y = q < {} || b;\n\
         always @(posedge clk) begin\n\
         if (a == {}) q <= q + {};\n\
         else case (mixed)\n\
         {}: q <= {{q[1:0], {}}};\n\
         default: q <= mixed & {};\n\
         endcase\n\
         end\n\
         endmodule\n",
        digit(3),
        digit(3),
        digit(2),
        digit(3),
        digit(3),
        digit(1),
        digit(3),
    );
    let spec = format!("assert kept: G (q != {} | y);\n", digit(3));
    (text, spec)
}

fn subject(text: &str, spec: &str) -> Subject {
    let options = DesignOptions {
        purpose: Purpose::Repair,
        ..DesignOptions::default()
    };
    design_from_texts(&[("m.v", text)], &[("m.ltl", spec)], &options).expect("a design")
}

fn random_run(subject: &Subject, random: &mut Random) -> Run {
    let design = &subject.design;
    let values: Vec<Vec<bool>> = (0..STEPS)
        .map(|_| design.inputs().iter().map(|_| random.flip()).collect())
        .collect();
    let input = |id, step: usize| {
        let index = design.inputs().iter().position(|one| *one == id);
        index.is_some_and(|index| values[step][index])
    };
    design.stimulus(STEPS, None, |_| false, input)
}

/// The texts of all edits that the solver finds for a template.
fn solutions(solving: &mut Solving, template: usize, sources: &Sources) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    while let Some((edit, values)) = solving.edit(template, sources) {
        texts.extend(edit.map(|edit| edit.changes[0].1.clone()));
        solving.leave_out(template, &values);
    }
    texts
}

/// Every value of the literal at a place but its own, as edits.
fn all_values(sketch: &Sketch, sources: &Sources) -> Vec<SourceEdit> {
    let holes = sketch.holes(0, &HoleValues::new());
    let hole = holes[0];
    let values = (0..1usize << hole.width).filter_map(|value| {
        let bits = (0..hole.width).map(|bit| value >> bit & 1 == 1).collect();
        sketch.edit(0, &HoleValues::from([(hole.number, bits)]), sources)
    });
    values.collect()
}

/// A sketch whose cheapest template is another value of a short literal.
fn is_literal(sketch: &Sketch, sources: &Sources) -> bool {
    sources.text(sketch.span).contains("'d") && !sources.text(sketch.span).contains([' ', '{', '<'])
}

#[test]
fn constants_that_keep_properties_are_those_that_a_search_over_all_finds() {
    let mut seen = [0, 0, 0];
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let (text, spec) = random_text(&mut random);
        let subject = subject(&text, &spec);
        let runs: Vec<Run> = (0..3).map(|_| random_run(&subject, &mut random)).collect();
        let mut screen = Screen::new(&subject.spec, &subject.design);
        screen.set_runs(&runs);
        let front_end = subject.front_end();
        let mut trials = front_end.trials().expect("trials");
        for sketch in front_end.sketches() {
            let place = OpenSketch::new(&sketch, &mut *trials, &subject.spec).unwrap();
            let place = place.unwrap_or_else(|| panic!("seed {seed}: {text}"));
            let mut solving = Solving::new(&place, &bdd::Limits::default());
            for run in &runs {
                solving.keep(&place.ones_of(run).expect("a run that ends"));
            }
            let mut survives = |edit: &SourceEdit| {
                let design = trials.design(std::slice::from_ref(edit)).expect("a design");
                screen
                    .survives(&screen.observed(design).expect("atoms"))
                    .unwrap()
            };
            let first = match is_literal(&sketch, &subject.sources) {
                true => {
                    let found = solutions(&mut solving, 0, &subject.sources);
                    let expected = all_values(&sketch, &subject.sources).into_iter();
                    let expected = expected.filter(|edit| survives(edit));
                    let expected = expected.map(|edit| edit.changes[0].1.clone());
                    let expected: BTreeSet<String> = expected.collect();
                    assert_eq!(found, expected, "seed {seed}, {:?}\n{text}", sketch.span);
                    seen[usize::from(!found.is_empty())] += 1;
                    1
                }
                false => 0,
            };
            // Whatever else is found survives the same runs in a simulator.
            for template in first..place.sketches[0].templates.len() {
                for _ in 0..2 {
                    let Some((edit, values)) = solving.edit(template, &subject.sources) else {
                        break;
                    };
                    if let Some(edit) = edit {
                        assert!(survives(&edit), "seed {seed}: {:?}\n{text}", edit.changes);
                        seen[2] += 1;
                    }
                    solving.leave_out(template, &values);
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
}

#[test]
fn constants_that_fit_recorded_runs_are_those_that_a_search_over_all_finds() {
    let mut seen = [0, 0];
    for seed in 100..140 {
        let mut random = Random::new(seed);
        let (text, spec) = random_text(&mut random);
        let subject = subject(&text, &spec);
        // What another design of the same kind answers to random inputs.
        let (other, _) = random_text(&mut Random::new(seed + u64::from(random.flip())));
        let recording = recorded(&subject, &other, &mut random);
        let limits = crate::limits::Limits::default();
        let front_end = subject.front_end();
        let mut trials = front_end.trials_without_reset().expect("trials");
        for sketch in front_end.sketches() {
            if !is_literal(&sketch, &subject.sources) {
                continue;
            }
            let recordings = std::slice::from_ref(&recording);
            let place =
                OpenSketch::recorded(std::slice::from_ref(&sketch), &[], &mut *trials, recordings)
                    .unwrap();
            let (place, bindings) = place.expect("a place that opens");
            let mut solving = Solving::new(&place, &bdd::Limits::default());
            solving.show(&recording, &bindings[0], usize::MAX);
            let found = solutions(&mut solving, 0, &subject.sources);
            let expected = all_values(&sketch, &subject.sources).into_iter();
            let expected = expected.filter(|edit| {
                let design = trials.design(std::slice::from_ref(edit)).expect("a design");
                let score = score(&design, recordings, usize::MAX, &limits).unwrap();
                score == Some(Score::PERFECT)
            });
            let expected: BTreeSet<String> =
                expected.map(|edit| edit.changes[0].1.clone()).collect();
            assert_eq!(found, expected, "seed {seed}, {:?}\n{text}", sketch.span);
            seen[usize::from(!found.is_empty())] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
}

/// Two sketches with nothing but other values of their literals.
fn literals(sketches: &[Sketch], sources: &Sources) -> Vec<Sketch> {
    let literals = sketches.iter().filter(|one| is_literal(one, sources));
    let only_values = |sketch: &Sketch| {
        let mut sketch = sketch.clone();
        sketch.templates.truncate(1);
        sketch
    };
    literals.map(only_values).collect()
}

/// Whether a design with edits shows all of a recorded run.
fn shows(edits: &[SourceEdit], recording: &Recording, trials: &mut dyn Trials) -> bool {
    let design = trials.design(edits).expect("a design");
    let limits = crate::limits::Limits::default();
    let recordings = std::slice::from_ref(recording);
    score(&design, recordings, usize::MAX, &limits).unwrap() == Some(Score::PERFECT)
}

#[test]
fn pairs_of_constants_that_fit_recorded_runs_are_those_that_a_search_over_all_finds() {
    let mut seen = [0, 0, 0];
    for seed in 200..230 {
        let mut random = Random::new(seed);
        let (text, spec) = random_text(&mut random);
        let subject = subject(&text, &spec);
        let front_end = subject.front_end();
        let literals = literals(&front_end.sketches(), &subject.sources);
        let (one, other) = (
            random.pick(&literals).clone(),
            random.pick(&literals).clone(),
        );
        if one.span == other.span {
            continue;
        }
        // What the design answers with other constants at both places.
        let values = [&one, &other].map(|sketch| all_values(sketch, &subject.sources));
        let faults = values.clone().map(|values| random.pick(&values).clone());
        let texts = crate::design::verilog::edits::apply(&faults, &subject.sources);
        let recording = recorded(&subject, texts.values().next().unwrap(), &mut random);
        let mut trials = front_end.trials_without_reset().expect("trials");
        let recordings = std::slice::from_ref(&recording);
        let sketches = [one, other];
        let place = OpenSketch::recorded(&sketches, &[], &mut *trials, recordings).unwrap();
        let (place, bindings) = place.expect("places that open");
        let mut solving = Solving::new(&place, &bdd::Limits::default());
        let groups = [vec![0], vec![1]];
        solving.one_for_each(&groups);
        solving.show(&recording, &bindings[0], usize::MAX);
        let mut found: Vec<Vec<SourceEdit>> = Vec::new();
        while let Some((edits, values)) = solving.edits(&groups, &subject.sources) {
            assert!(
                shows(&edits, &recording, &mut *trials),
                "seed {seed}: {edits:?}\n{text}"
            );
            seen[edits.len()] += 1;
            found.push(edits);
            solving.leave_out_all(&values);
        }
        // Each pair of values that shows the run contains one that was found.
        for first in &values[0] {
            for second in &values[1] {
                let pair = [first.clone(), second.clone()];
                let is_found = |edits: &Vec<SourceEdit>| {
                    let mut edits = edits.iter();
                    edits.all(|edit| pair.iter().any(|one| one.changes == edit.changes))
                };
                let expected = shows(&pair, &recording, &mut *trials);
                let contains = found.iter().any(is_found);
                assert!(!expected || contains, "seed {seed}: {pair:?}\n{text}");
            }
        }
    }
    assert!(seen[1] + seen[2] > 20 && seen[2] > 5, "{seen:?}");
}

#[test]
fn a_design_with_all_places_open_can_be_what_it_was() {
    for seed in 300..310 {
        let mut random = Random::new(seed);
        let (text, spec) = random_text(&mut random);
        let subject = subject(&text, &spec);
        let recording = recorded(&subject, &text, &mut random);
        let front_end = subject.front_end();
        let mut trials = front_end.trials_without_reset().expect("trials");
        let sketches = front_end.sketches();
        let sketches: Vec<Sketch> = sketches.iter().map(Sketch::restricted).collect();
        let mut open = trials.sketched(&[], &sketches).expect("a design");
        for id in latches(&open).into_values() {
            open.set_reset(id, crate::design::Reset::Zero);
        }
        let limits = crate::limits::Limits::default();
        let score = score(&open, &[recording], usize::MAX, &limits).unwrap();
        assert_eq!(score, Some(Score::PERFECT), "seed {seed}\n{text}");
    }
}

/// A run of another text, as a file that fits the ports of a subject.
fn recorded(subject: &Subject, other: &str, random: &mut Random) -> Recording {
    let answering = self::subject(other, "assert none: G true;\n");
    let design = &answering.design;
    let inputs = design.inputs().iter();
    assert!(
        inputs
            .clone()
            .all(|id| design.input_kind(*id) == Some(InputKind::Environment))
    );
    let stimulus: Vec<Vec<bool>> = (0..STEPS)
        .map(|_| design.inputs().iter().map(|_| random.flip()).collect())
        .collect();
    let run = design.run(&[], &stimulus).expect("a run");
    let mut text = String::from("a,b,q,y\n");
    for cycle in 0..STEPS {
        let values = ["a", "b", "q", "y"].map(|name| {
            let word = design.signal(name).expect("a port");
            let bits = word.bits.iter().enumerate();
            let value = bits.fold(0, |value, (index, bit)| {
                value | usize::from(run.value(cycle, *bit)) << index
            });
            value.to_string()
        });
        text += &(values.join(",") + "\n");
    }
    let mut sources = Sources::new();
    let file = sources.add("run.csv", text);
    let reading = subject.front_end().without_reset(None).expect("a design");
    let interface = Interface::of(&reading);
    Recording::read(file, Format::Csv, &interface, &Options::default(), &sources)
        .unwrap_or_else(|problem| panic!("{}", problem.message))
}
