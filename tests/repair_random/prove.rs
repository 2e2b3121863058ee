//! Proofs by ABC, which shares nothing with us.

use super::circuit::Condition;
use super::explicit::Response;
use respin::design::aiger::AigerFile;
use respin::design::{Design, InputKind, Literal, Reset};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Binary files, each with one output that must never be 1, in a folder of their own.
pub struct Proofs {
    folder: PathBuf,
    labels: Vec<String>,
}

impl Proofs {
    pub fn new(name: &str) -> Proofs {
        // Several runs of the tests may be under way at once.
        let name = format!("{name}_{}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).expect("a folder for the circuits");
        Proofs {
            folder,
            labels: Vec::new(),
        }
    }

    pub fn add(&mut self, label: String, file: &AigerFile) {
        assert_eq!(file.design.outputs().len(), 1, "{label}: one output");
        let bytes = file.to_binary().expect("a binary file");
        let path = self.folder.join(format!("{label}.aig"));
        std::fs::write(path, bytes).expect("a written file");
        self.labels.push(label);
    }

    /// For each file whether it is proved. Any other answer than a proof or a
    /// counterexample is an error.
    pub fn verdicts(&self) -> Vec<(String, bool)> {
        let mut script = String::new();
        for label in &self.labels {
            script.push_str(&format!("echo == {label}\nread_aiger {label}.aig\npdr\n"));
        }
        let path = self.folder.join("script");
        std::fs::write(&path, script).expect("a written script");
        let output = Command::new("berkeley-abc")
            .args(["-f", "script"])
            .current_dir(&self.folder)
            .output()
            .expect("berkeley-abc is installed; tests/run does it");
        assert!(output.status.success(), "ABC ended badly");
        let text = String::from_utf8_lossy(&output.stdout);
        let answers: Vec<&str> = text.split("== ").skip(1).collect();
        assert_eq!(answers.len(), self.labels.len(), "answers in\n{text}");
        let labels = self.labels.iter().zip(answers);
        labels
            .map(|(label, answer)| {
                let (echoed, rest) = answer.split_once('\n').unwrap_or((answer, ""));
                assert_eq!(echoed.trim(), label);
                let count = |is_one: fn(&str) -> bool| rest.lines().filter(|l| is_one(l)).count();
                let proved = count(|line| line.starts_with("Property proved."));
                let refuted = count(|line| {
                    line.starts_with("Output 0 of miter") && line.contains("was asserted in frame")
                });
                match (proved, refuted) {
                    (1, 0) => (label.clone(), true),
                    (0, 1) => (label.clone(), false),
                    _ => panic!("{label}: no verdict in\n{rest}"),
                }
            })
            .collect()
    }

    /// The files that are not proved.
    pub fn refuted(&self) -> Vec<String> {
        let verdicts = self.verdicts().into_iter();
        let refuted = verdicts.filter(|(_, proved)| !proved);
        let refuted: Vec<String> = refuted.map(|(label, _)| label).collect();
        if refuted.is_empty() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
        refuted
    }
}

/// The circuit whose output can be 1 exactly if the response property fails: liveness as
/// safety, by guessing where a loop begins [Biere, Artho, Schuppan, FMICS 2002].
///
/// An oracle says when to save the state; from then on it is watched whether a response was
/// owed in each step, and whether a fair step came. When the saved state returns, the run
/// so far can go on like this for ever. The design must have no outputs.
pub fn liveness_as_safety(design: &Design, property: &Response) -> AigerFile {
    let mut design = design.clone();
    // As the generator numbers them.
    let leaves: Vec<Literal> = [design.inputs(), design.latches()]
        .concat()
        .iter()
        .map(|id| id.literal())
        .collect();
    let mut value = |condition: &Condition| {
        let literal = |code: &u32| leaves[*code as usize / 2 - 1].complement_if(code % 2 == 1);
        let cubes = condition.0.iter().map(|cube| cube.iter().map(literal));
        let cubes: Vec<Literal> = cubes.map(|cube| design.and_all(cube)).collect();
        design.or_all(cubes)
    };
    let mut or_always = |condition: &Option<Condition>| match condition {
        Some(condition) => value(condition),
        None => Literal::TRUE,
    };
    let (trigger, fair) = (or_always(&property.trigger), or_always(&property.fairness));
    let response = value(&property.response);
    let pending = design.add_latch(Reset::Zero);
    let owed = design.or(pending.literal(), trigger);
    let owed = design.and(owed, !response);
    design.set_next(pending, owed);
    let state = design.latches().to_vec();

    let oracle = design.add_input(InputKind::Environment).literal();
    let saved = design.add_latch(Reset::Zero);
    let save = design.and(oracle, !saved.literal());
    let saved_next = design.or(saved.literal(), save);
    design.set_next(saved, saved_next);
    let mut looped = saved.literal();
    for id in state {
        let copy = design.add_latch(Reset::Zero);
        let next = design.mux(save, id.literal(), copy.literal());
        design.set_next(copy, next);
        let same = design.equal(id.literal(), copy.literal());
        looped = design.and(looped, same);
    }
    let fair_seen = design.add_latch(Reset::Zero);
    let watching = saved_next;
    let fair_now = design.and(watching, fair);
    let fair_next = design.or(fair_seen.literal(), fair_now);
    design.set_next(fair_seen, fair_next);
    let paid = design.add_latch(Reset::Zero);
    let paid_now = design.and(watching, !owed);
    let paid_next = design.or(paid.literal(), paid_now);
    design.set_next(paid, paid_next);
    let bad = design.and_all([looped, fair_seen.literal(), !paid.literal()]);
    design.add_output(Some("bad".to_string()), bad, None);
    AigerFile::from_design(design, &[]).expect("a plain circuit")
}
