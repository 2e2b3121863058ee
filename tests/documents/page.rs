//! Blocks and commands of a page.

pub struct Page {
    lines: Vec<String>,
    changed: bool,
}

/// A command with what it prints.
#[derive(Clone)]
pub struct Transcript {
    /// What follows `$ respin `.
    pub line: String,
    pub lines: Vec<String>,
    /// Where `lines` stand in the page when it is read.
    start: usize,
}

impl Transcript {
    /// Whether nothing is left out.
    pub fn is_complete(&self) -> bool {
        self.lines.iter().all(|line| line.trim() != "...")
    }
}

/// A command of a session, with what it prints.
#[derive(Clone)]
pub struct Step {
    /// What follows `$ `.
    pub line: String,
    pub lines: Vec<String>,
    start: usize,
}

impl Step {
    /// Whether nothing is left out.
    pub fn is_complete(&self) -> bool {
        self.lines.iter().all(|line| line.trim() != "...")
    }
}

impl Page {
    pub fn new(text: &str) -> Page {
        Page {
            lines: text.lines().map(str::to_string).collect(),
            changed: false,
        }
    }

    pub fn is_changed(&self) -> bool {
        self.changed
    }

    pub fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    /// Blocks between fences, with the line after the opening one.
    fn blocks(&self) -> Vec<(usize, &[String])> {
        let mut blocks = Vec::new();
        let mut start = None;
        for (index, line) in self.lines.iter().enumerate() {
            if !line.starts_with("```") {
                continue;
            }
            match start.take() {
                None => start = Some(index + 1),
                Some(start) => blocks.push((start, &self.lines[start..index])),
            }
        }
        blocks
    }

    /// The last one first, so that replacing one does not move the others.
    pub fn transcripts(&self) -> Vec<Transcript> {
        let mut transcripts: Vec<Transcript> = self
            .blocks()
            .into_iter()
            .filter(|(start, _)| !self.is_session(*start))
            .filter_map(|(start, block)| {
                let line = block.first()?.strip_prefix("$ respin ")?;
                Some(Transcript {
                    line: line.to_string(),
                    lines: block[1..].to_vec(),
                    start: start + 1,
                })
            })
            .collect();
        transcripts.reverse();
        transcripts
    }

    /// Whether the block that starts with this line is part of a session.
    fn is_session(&self, start: usize) -> bool {
        self.lines[start - 1] == "```console"
    }

    /// The commands of all sessions in order.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (start, block) in self.blocks() {
            if !self.is_session(start) {
                continue;
            }
            let first = steps.len();
            for (index, text) in block.iter().enumerate() {
                match (text.strip_prefix("$ "), steps[first..].last_mut()) {
                    (Some(line), _) => steps.push(Step {
                        line: line.to_string(),
                        lines: Vec::new(),
                        start: start + index + 1,
                    }),
                    (None, Some(step)) => step.lines.push(text.clone()),
                    (None, None) => panic!("a session begins with `$`, and not with {text}"),
                }
            }
        }
        steps
    }

    pub fn replace_step(&mut self, step: &Step, actual: &str) {
        let range = step.start..step.start + step.lines.len();
        let new = actual.lines().map(str::to_string);
        self.lines.splice(range, new);
        self.changed = true;
    }

    pub fn replace(&mut self, transcript: &Transcript, actual: &str) {
        let range = transcript.start..transcript.start + transcript.lines.len();
        let new = actual.lines().map(str::to_string);
        self.lines.splice(range, new);
        self.changed = true;
    }

    /// Command lines in the running text, and in blocks by `cargo run`. Those that name no
    /// file, or have a word in capitals, as in `respin check SPEC`, stand for many and are
    /// left out.
    pub fn commands(&self) -> Vec<String> {
        let blocks = self.blocks();
        let inside = |index: usize| {
            let mut ranges = blocks.iter();
            ranges.any(|(start, block)| (start - 1..=start + block.len()).contains(&index))
        };
        let mut commands = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            if let Some(command) = line.strip_prefix("cargo run --release -- ") {
                commands.push(command.to_string());
            } else if !inside(index) {
                let quoted = line.split('`').skip(1).step_by(2);
                let shown = quoted.filter_map(|text| text.strip_prefix("respin "));
                commands.extend(shown.filter(|text| is_concrete(text)).map(str::to_string));
            }
        }
        commands
    }
}

fn is_concrete(command: &str) -> bool {
    let is_capital = |word: &str| word.len() > 1 && word.chars().all(|one| one.is_uppercase());
    let has_capitals = |word: &str| word.split(['.', '=', '[', ']']).any(is_capital);
    let names_file =
        |word: &str| word.split('.').all(|part| !part.is_empty()) && word.contains('.');
    let mut words = command.split_whitespace();
    !words.clone().any(has_capitals) && (words.any(names_file) || command.starts_with("help-code "))
}

/// Whether a text is what a block says.
pub fn matches(expected: &[String], actual: &str) -> bool {
    let actual: Vec<&str> = actual.lines().collect();
    fits(expected, &actual)
}

fn fits(expected: &[String], actual: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return actual.is_empty();
    };
    if first.trim() == "..." {
        return (0..=actual.len()).any(|skipped| fits(rest, &actual[skipped..]));
    }
    match actual.split_first() {
        Some((line, others)) => line.trim_end() == first.trim_end() && fits(rest, others),
        None => false,
    }
}

#[test]
fn dots_stand_for_any_lines() {
    let block = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    assert!(matches(&block("a\n...\nb"), "a\nb\n"));
    assert!(matches(&block("a\n  ...\nb"), "a\nc\nb\nd\nb\n"));
    assert!(!matches(&block("a\n...\nb"), "a\nb\nc\n"));
    assert!(!matches(&block("a"), "a\nb\n"));
}

#[test]
fn commands_and_transcripts_are_found() {
    let text = "`respin check a.tlsf` and `respin check SPEC`\n```\n$ respin man\nout\n```\n\
                ```\ncargo run --release -- verify b.v\n```\n";
    let mut page = Page::new(text);
    assert_eq!(page.commands(), ["check a.tlsf", "verify b.v"]);
    let transcripts = page.transcripts();
    assert_eq!(transcripts.len(), 1);
    assert_eq!(transcripts[0].line, "man");
    page.replace(&transcripts[0], "other\nmore\n");
    assert_eq!(page.text(), text.replace("out\n", "other\nmore\n"));
}

#[test]
fn sessions_are_no_transcripts() {
    let text = "```console\n$ respin man\nout\n$ ls\n```\n```console\n$ cat a\n```\n";
    let mut page = Page::new(text);
    assert!(page.transcripts().is_empty());
    let steps = page.steps();
    let lines: Vec<&str> = steps.iter().map(|step| step.line.as_str()).collect();
    assert_eq!(lines, ["respin man", "ls", "cat a"]);
    assert_eq!(steps[0].lines, ["out"]);
    page.replace_step(&steps[1], "b\n");
    page.replace_step(&steps[0], "");
    assert_eq!(page.text(), text.replace("out\n$ ls\n", "$ ls\nb\n"));
}
