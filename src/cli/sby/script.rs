//! What the script of an sby file reads, and how. No script is ever run: commands that say what
//! the design consists of are understood, those that only change its form mean nothing here,
//! and all others are refused.

use super::sections::Line;
use super::wrong;
use crate::cli::values::{self, Define};
use crate::source::{Diagnostic, Span};

/// What a script reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub files: Vec<(String, Span)>,
    /// How all of them are read.
    pub reading: Reading,
    pub top: Option<String>,
    /// Parameters of the top module.
    pub parameters: Vec<(String, String)>,
    /// Whether a command reads Verilog with `read_slang`.
    pub slang: Option<Span>,
}

impl Script {
    /// Whether another one reads the same, wherever its lines stand.
    pub fn is_like(&self, other: &Script) -> bool {
        let names = |script: &Script| -> Vec<String> {
            let files = script.files.iter();
            files.map(|(name, _)| name.clone()).collect()
        };
        names(self) == names(other)
            && self.reading == other.reading
            && self.top == other.top
            && self.parameters == other.parameters
            && self.slang.is_some() == other.slang.is_some()
    }
}

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether the macro `FORMAL` is defined; `SYNTHESIS` is otherwise.
    pub formal: bool,
    pub defines: Vec<Define>,
    pub include_directories: Vec<String>,
}

/// Commands that give the netlist another form and its behaviour back.
const NEUTRAL: [&str; 21] = [
    "async2sync",
    "check",
    "clean",
    "clk2fflogic",
    "dffunmap",
    "flatten",
    "memory",
    "memory_collect",
    "memory_dff",
    "memory_map",
    "memory_nordff",
    "opt",
    "opt_clean",
    "opt_expr",
    "opt_merge",
    "proc",
    "stat",
    "simplemap",
    "uniquify",
    "wreduce",
    "log",
];

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    span: Span,
}

/// Understands the lines of a script.
pub fn understand(lines: &[Line]) -> Result<Script, Diagnostic> {
    let mut state = State::default();
    for line in lines {
        for command in commands(line)? {
            state.command(&command)?;
        }
    }
    Ok(state.script)
}

#[derive(Default)]
struct State {
    script: Script,
    /// Macros and directories for all commands that follow.
    shared: Reading,
}

impl State {
    fn command(&mut self, words: &[Word]) -> Result<(), Diagnostic> {
        let Some((name, arguments)) = words.split_first() else {
            return Ok(());
        };
        match name.text.as_str() {
            "read" => self.read(arguments, name.span),
            "read_verilog" | "read_slang" => {
                if name.text == "read_slang" {
                    self.script.slang = Some(name.span);
                }
                self.read_verilog(arguments)
            }
            "plugin" if is_plugin_of_slang(arguments) => Ok(()),
            "verilog_defines" => self.macros(arguments),
            "verilog_defaults" => self.defaults(arguments, name.span),
            "prep" | "hierarchy" => self.hierarchy(arguments),
            "chparam" => self.parameters(arguments, name.span),
            "setundef" if is_harmless_setundef(arguments) => Ok(()),
            known if NEUTRAL.contains(&known) => Ok(()),
            other => {
                let message = format!("the command `{other}` is not understood");
                Err(wrong(name.span, message).help(
                    "leave it out, or run the script in Yosys up to `write_json` and give the netlist",
                ))
            }
        }
    }

    /// `read -formal a.v`, `read -define A=1`, `read -incdir d`
    fn read(&mut self, words: &[Word], command: Span) -> Result<(), Diagnostic> {
        let Some((kind, rest)) = words.split_first() else {
            return Err(wrong(command, "this command reads nothing"));
        };
        match kind.text.as_str() {
            "-define" => {
                for word in rest {
                    self.shared.defines.push(macro_of(&word.text, word.span)?);
                }
                Ok(())
            }
            "-undef" => {
                let is_named = |one: &Define| rest.iter().any(|word| word.text == one.name);
                self.shared.defines.retain(|one| !is_named(one));
                Ok(())
            }
            "-incdir" => {
                let directories = rest.iter().map(|word| word.text.clone());
                self.shared.include_directories.extend(directories);
                Ok(())
            }
            "-noverific" => self.read(rest, command),
            "-vlog95" | "-vlog2k" | "-sv2005" | "-sv2009" | "-sv2012" | "-sv" | "-formal" => {
                let reading = Reading {
                    formal: kind.text == "-formal",
                    ..self.shared.clone()
                };
                self.files(rest, reading)
            }
            _ => {
                let message = format!("`read {}` is not understood", kind.text);
                Err(wrong(kind.span, message).help("`read -formal FILE` and `read -sv FILE` are"))
            }
        }
    }

    fn read_verilog(&mut self, words: &[Word]) -> Result<(), Diagnostic> {
        let mut reading = self.shared.clone();
        let mut files = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if add_option(word, &mut words, &mut reading)? {
                continue;
            }
            match word.text.as_str() {
                "-overwrite" | "-defer" | "-icells" | "-nomem2reg" | "-mem2reg" | "-nolatches"
                | "-noopt" | "-yydebug" | "-nodpi" => {}
                option if option.starts_with('-') => return Err(unknown_option(word)),
                _ => files.push(word.clone()),
            }
        }
        self.files(&files, reading)
    }

    /// Notes files, which all have to be read alike.
    fn files(&mut self, files: &[Word], reading: Reading) -> Result<(), Diagnostic> {
        for word in files {
            if word.text.starts_with('-') {
                return Err(unknown_option(word));
            }
            if self.script.files.is_empty() {
                self.script.reading = reading.clone();
            } else if self.script.reading != reading {
                let message = "this file is read with other options than those before it";
                let help = "read all files with the same macros, directories and `-formal`";
                return Err(wrong(word.span, message).help(help));
            }
            self.script.files.push((word.text.clone(), word.span));
        }
        Ok(())
    }

    /// `verilog_defines -DA=1 -UB`
    fn macros(&mut self, words: &[Word]) -> Result<(), Diagnostic> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.text.strip_prefix("-U") {
                Some(name) => {
                    let name = attached(name, word, &mut words)?;
                    self.shared.defines.retain(|one| one.name != name);
                }
                None if word.text.starts_with("-D") => {
                    add_option(word, &mut words, &mut self.shared)?;
                }
                None => return Err(unknown_option(word)),
            }
        }
        Ok(())
    }

    /// `verilog_defaults -add -I directory`
    fn defaults(&mut self, words: &[Word], command: Span) -> Result<(), Diagnostic> {
        let mut words = words.iter();
        if words.next().is_none_or(|word| word.text != "-add") {
            return Err(wrong(command, "only `verilog_defaults -add` is understood"));
        }
        while let Some(word) = words.next() {
            if !add_option(word, &mut words, &mut self.shared)? {
                return Err(unknown_option(word));
            }
        }
        Ok(())
    }

    /// `prep -top m -flatten`, `hierarchy -check -top m -chparam N 3`
    fn hierarchy(&mut self, words: &[Word]) -> Result<(), Diagnostic> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.text.as_str() {
                "-top" => self.script.top = Some(following(word, &mut words)?),
                "-chparam" => {
                    let name = following(word, &mut words)?;
                    let value = following(word, &mut words)?;
                    self.script.parameters.push((name, value));
                }
                "-auto-top" | "-flatten" | "-ifx" | "-memx" | "-nomem" | "-nordff" | "-rdff"
                | "-nokeepdc" | "-check" | "-simcheck" | "-smtcheck" | "-keep_positionals"
                | "-keep_portwidths" | "-purge_lib" => {}
                _ => return Err(unknown_option(word)),
            }
        }
        Ok(())
    }

    /// `chparam -set NAME VALUE top`
    fn parameters(&mut self, words: &[Word], command: Span) -> Result<(), Diagnostic> {
        let mut words = words.iter();
        let mut module = None;
        while let Some(word) = words.next() {
            match word.text.as_str() {
                "-set" => {
                    let name = following(word, &mut words)?;
                    let value = following(word, &mut words)?;
                    self.script.parameters.push((name, value));
                }
                option if option.starts_with('-') => return Err(unknown_option(word)),
                _ => module = Some(word.clone()),
            }
        }
        // Parameters of other modules are those of their instances.
        match (module, &self.script.top) {
            (Some(module), None) => {
                self.script.top = Some(module.text);
                Ok(())
            }
            (Some(module), Some(top)) if module.text != *top => {
                let message = format!("`{}` is not the top module `{top}`", module.text);
                Err(wrong(module.span, message).help("set parameters of the top module"))
            }
            (Some(_), Some(_)) => Ok(()),
            (None, _) => Err(wrong(
                command,
                "the module whose parameter is set is missing",
            )),
        }
    }
}

/// Takes `-sv`, `-formal`, `-D` or `-I`; false if it is another word.
fn add_option<'w>(
    word: &Word,
    words: &mut impl Iterator<Item = &'w Word>,
    reading: &mut Reading,
) -> Result<bool, Diagnostic> {
    match word.text.as_str() {
        "-sv" => {}
        "-formal" => reading.formal = true,
        text if text.starts_with("-D") => {
            let define = attached(&text[2..], word, words)?;
            reading.defines.push(macro_of(&define, word.span)?);
        }
        text if text.starts_with("-I") => {
            let directory = attached(&text[2..], word, words)?;
            reading.include_directories.push(directory);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// What is attached to an option, or else the next word.
fn attached<'w>(
    attached: &str,
    option: &Word,
    words: &mut impl Iterator<Item = &'w Word>,
) -> Result<String, Diagnostic> {
    match attached {
        "" => following(option, words),
        attached => Ok(attached.to_string()),
    }
}

fn following<'w>(
    option: &Word,
    words: &mut impl Iterator<Item = &'w Word>,
) -> Result<String, Diagnostic> {
    let word = words.next().map(|word| word.text.clone());
    word.ok_or_else(|| {
        let message = format!("something has to follow `{}`", option.text);
        wrong(option.span, message)
    })
}

fn macro_of(text: &str, span: Span) -> Result<Define, Diagnostic> {
    values::define(text).map_err(|problem| wrong(span, problem))
}

fn unknown_option(word: &Word) -> Diagnostic {
    wrong(word.span, format!("`{}` is not understood here", word.text))
}

fn is_plugin_of_slang(words: &[Word]) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts == ["-i", "slang"]
}

/// What nothing drives, and unknown bits, are the environment's choice anyway.
fn is_harmless_setundef(words: &[Word]) -> bool {
    let mut words = words.iter();
    words.all(|word| matches!(word.text.as_str(), "-undriven" | "-anyseq" | "-undef"))
}

/// The commands of a line: words between blanks, with `;` at the end of a word between commands
/// and `#` before a comment.
fn commands(line: &Line) -> Result<Vec<Vec<Word>>, Diagnostic> {
    let mut commands = vec![Vec::new()];
    let text = &line.text;
    let mut position = 0;
    while let Some(rest) = text.get(position..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            position += blank;
            continue;
        }
        if rest.starts_with('#') {
            break;
        }
        let span = |length: usize| {
            let start = line.span.start as usize + position;
            Span::new(line.span.file, start, start + length)
        };
        let is_quoted = rest.starts_with('"');
        let (word, length) = if is_quoted {
            let Some(end) = rest[1..].find('"') else {
                return Err(wrong(span(rest.len()), "this quote is never closed"));
            };
            (&rest[1..end + 1], end + 2)
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (&rest[..end], end)
        };
        if word.starts_with(['!', '<', '>', '|']) && !is_quoted || word == "\\" {
            return Err(wrong(
                span(length),
                format!("`{word}` is not understood here"),
            ));
        }
        let ends = !is_quoted && word.ends_with(';');
        let text = match is_quoted {
            true => word,
            false => word.trim_end_matches(';'),
        };
        if let (false, Some(command)) = (text.is_empty() && !is_quoted, commands.last_mut()) {
            command.push(Word {
                text: text.to_string(),
                span: span(length),
            });
        }
        if ends {
            commands.push(Vec::new());
        }
        position += length;
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn understood(text: &str) -> Result<Script, String> {
        let file = Sources::new().add("a.sby", text);
        let mut position = 0;
        let lines = text.lines().map(|line| {
            let start = position;
            position += line.len() + 1;
            Line {
                text: line.to_string(),
                span: Span::new(file, start, start + line.len()),
            }
        });
        understand(&lines.collect::<Vec<_>>()).map_err(|diagnostic| diagnostic.message)
    }

    fn check(text: &str, files: &str, top: Option<&str>, rest: &str) {
        let script = understood(text).unwrap_or_else(|message| panic!("{text}: {message}"));
        let names: Vec<&str> = script.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.join(" "), files, "{text}");
        assert_eq!(script.top.as_deref(), top, "{text}");
        let reading = &script.reading;
        let mut found = vec![if reading.formal { "formal" } else { "plain" }.to_string()];
        for define in &reading.defines {
            let value = define.value.as_deref().unwrap_or_default();
            found.push(format!("{}:{value}", define.name));
        }
        found.extend(reading.include_directories.iter().cloned());
        for (name, value) in &script.parameters {
            found.push(format!("{name}={value}"));
        }
        assert_eq!(found.join(" "), rest, "{text}");
    }

    #[test]
    fn commands_that_read_are_understood() {
        check(
            "read -formal a.v b.sv\nprep -top m",
            "a.v b.sv",
            Some("m"),
            "formal",
        );
        check("read -sv a.v; prep -auto-top", "a.v", None, "plain");
        check(
            "read_verilog -formal -DA=1 -D B -Iinc -I \"two words\" a.v # why",
            "a.v",
            None,
            "formal A:1 B: inc two words",
        );
        check(
            "read -define W=8\nread -incdir d\nread -noverific -sv a.v",
            "a.v",
            None,
            "plain W:8 d",
        );
        check(
            "verilog_defines -DX -UX -DY=2\nverilog_defaults -add -I d\nread_verilog -sv a.v",
            "a.v",
            None,
            "plain Y:2 d",
        );
    }

    #[test]
    fn parameters_of_the_top_module_are_set() {
        check(
            "read -formal a.v\nhierarchy -check -top m -chparam W 8\nproc",
            "a.v",
            Some("m"),
            "formal W=8",
        );
        check(
            "read -formal a.v\nchparam -set W 3 -set V 4'd2 m\nprep -top m",
            "a.v",
            Some("m"),
            "formal W=3 V=4'd2",
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, message) in [
            ("exec -- rm x", "the command `exec` is not understood"),
            ("!ls", "`!ls` is not understood here"),
            ("read -vhdl a.vhd", "`read -vhdl` is not understood"),
            ("read_verilog -lib a.v", "`-lib` is not understood here"),
            ("prep -run a:b", "`-run` is not understood here"),
            ("read_verilog -D", "something has to follow `-D`"),
            (
                "read -formal a.v\nread -sv b.v",
                "this file is read with other options than those before it",
            ),
            (
                "prep -top m\nchparam -set W 3 n",
                "`n` is not the top module `m`",
            ),
            ("read -formal \"a.v", "this quote is never closed"),
        ] {
            assert_eq!(understood(text).err().as_deref(), Some(message), "{text}");
        }
    }
}
