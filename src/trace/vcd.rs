//! Value change dumps (IEEE 1800-2017, 21.7.2), as simulators write them.
//!
//! Only what counts is kept: declarations until `$enddefinitions`, then the changes of the
//! signals that a [`Sampler`] wants, moment by moment. Reals, strings and events are no values
//! of a circuit.

use super::changes::{Sampler, Variable};
use super::number::{self, Bits};
use super::{Interface, Options, Recording};
use crate::limits::Limits;
use crate::source::codes::trace as codes;
use crate::source::{Diagnostic, FileId, Sources, Span};

/// The words of a text, with where they start.
struct Words<'a> {
    file: FileId,
    text: &'a [u8],
    at: usize,
    limits: &'a Limits,
}

pub fn read(
    file: FileId,
    interface: &Interface<'_>,
    options: &Options,
    sources: &Sources,
) -> Result<Recording, Diagnostic> {
    let source = sources.file(file);
    let mut words = Words {
        file,
        text: source.bytes(),
        at: 0,
        limits: sources.limits(),
    };
    let variables = declarations(&mut words)?;
    let mut sampler = Sampler::new(&variables, interface, options, &source.name)?;
    changes(&mut words, &mut sampler)?;
    Ok(sampler.finish())
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<Option<(&'a [u8], usize)>, Diagnostic> {
        self.limits.poll()?;
        let rest = &self.text[self.at..];
        let Some(skipped) = rest.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            self.at = self.text.len();
            return Ok(None);
        };
        let rest = &rest[skipped..];
        let length = rest.iter().position(|byte| byte.is_ascii_whitespace());
        let length = length.unwrap_or(rest.len());
        let start = self.at + skipped;
        self.at = start + length;
        Ok(Some((&rest[..length], start)))
    }

    /// The next word, which has to be there.
    fn needed(&mut self, what: &str) -> Result<(&'a [u8], usize), Diagnostic> {
        let end = self.text.len();
        match self.next()? {
            Some(word) => Ok(word),
            None => Err(self.wrong(end, end, format!("the file ends before {what}"))),
        }
    }

    /// All words up to `$end`.
    fn until_end(&mut self, what: &str) -> Result<Vec<(&'a [u8], usize)>, Diagnostic> {
        let mut words = Vec::new();
        loop {
            let (word, at) = self.needed(&format!("the `$end` of {what}"))?;
            if word == b"$end" {
                return Ok(words);
            }
            words.push((word, at));
        }
    }

    fn wrong(&self, start: usize, end: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(codes::BAD_RECORDING, message)
            .at(Span::new(self.file, start, end), "here")
            .help("the file is no value change dump, or was cut short")
    }
}

fn text_of(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

fn declarations<'a>(words: &mut Words<'a>) -> Result<Vec<Variable<&'a [u8]>>, Diagnostic> {
    let mut scope: Vec<String> = Vec::new();
    let mut variables = Vec::new();
    loop {
        let (word, at) = words.needed("`$enddefinitions`")?;
        match word {
            b"$enddefinitions" => {
                words.until_end("`$enddefinitions`")?;
                return Ok(variables);
            }
            b"$scope" => {
                let parts = words.until_end("`$scope`")?;
                let [_, (name, _)] = parts.as_slice() else {
                    return Err(words.wrong(at, words.at, "a scope has a kind and a name"));
                };
                scope.push(text_of(name));
            }
            b"$upscope" => {
                words.until_end("`$upscope`")?;
                if scope.pop().is_none() {
                    return Err(words.wrong(at, words.at, "no scope is open here"));
                }
            }
            b"$var" => {
                let parts = words.until_end("`$var`")?;
                let [(kind, _), (size, size_at), (id, _), (name, _), rest @ ..] = parts.as_slice()
                else {
                    let message = "a variable has a kind, a size, a code and a name";
                    return Err(words.wrong(at, words.at, message));
                };
                let width = std::str::from_utf8(size)
                    .ok()
                    .and_then(|size| size.parse().ok());
                let Some(width) = width else {
                    let message = format!("`{}` is no size", text_of(size));
                    return Err(words.wrong(*size_at, size_at + size.len(), message));
                };
                if !matches!(*kind, b"real" | b"realtime" | b"event" | b"string") {
                    let (name, index) = name_and_index(name, rest.first().map(|(word, _)| *word));
                    variables.push(Variable {
                        scope: scope.clone(),
                        name,
                        index,
                        width,
                        id: *id,
                    });
                }
            }
            word if word.starts_with(b"$") => {
                words.until_end(&format!("`{}`", text_of(word)))?;
            }
            word => {
                let message = format!("`{}` is no declaration", text_of(word));
                return Err(words.wrong(at, at + word.len(), message));
            }
        }
    }
}

/// `count [3]` is a bit of a vector, `count [7:0]` a vector; some tools leave out the space.
pub fn name_and_index(name: &[u8], range: Option<&[u8]>) -> (String, Option<i64>) {
    let name = text_of(name);
    // An escaped name keeps what looks like a range.
    if let Some(escaped) = name.strip_prefix('\\') {
        return (escaped.to_string(), None);
    }
    let (name, range) = match (name.split_once('['), range) {
        (Some((name, range)), None) => (name.to_string(), Some(format!("[{range}"))),
        (_, range) => (name.clone(), range.map(text_of)),
    };
    let index = range.and_then(|range| {
        let inner = range.strip_prefix('[')?.strip_suffix(']')?;
        inner.parse().ok()
    });
    (name, index)
}

fn changes<'a>(words: &mut Words<'a>, sampler: &mut Sampler<&'a [u8]>) -> Result<(), Diagnostic> {
    let mut last_time: Option<u64> = None;
    while let Some((word, at)) = words.next()? {
        let end = at + word.len();
        match word[0] {
            b'#' => {
                let time = std::str::from_utf8(&word[1..]).ok();
                let Some(time) = time.and_then(|time| time.parse::<u64>().ok()) else {
                    let message = format!("`{}` is no time", text_of(word));
                    return Err(words.wrong(at, end, message));
                };
                if last_time.is_some_and(|last| time < last) {
                    return Err(words.wrong(at, end, "time goes backward here"));
                }
                if last_time != Some(time) {
                    sampler.end_of_moment();
                }
                last_time = Some(time);
            }
            // `$dumpvars`, `$dumpoff` and the like are around changes; a comment is not.
            b'$' if word == b"$comment" => {
                words.until_end("`$comment`")?;
            }
            b'$' => {}
            b'b' | b'B' | b'r' | b'R' | b's' | b'S' => {
                let (id, _) = words.needed("the code of a variable")?;
                if let (Some(width), b'b' | b'B') = (sampler.width(&id), word[0]) {
                    let bits = value(words, &word[1..], width, at)?;
                    sampler.change(&id, &bits);
                }
            }
            _ => {
                let id = &word[1..];
                if let Some(width) = sampler.width(&id) {
                    let bits = value(words, &word[..1], width, at)?;
                    sampler.change(&id, &bits);
                }
            }
        }
    }
    sampler.end_of_moment();
    Ok(())
}

fn value(words: &Words, digits: &[u8], width: usize, at: usize) -> Result<Bits, Diagnostic> {
    number::dumped(digits, width).map_err(|_| {
        let message = format!("`{}` is no value of {width} bits", text_of(digits));
        words.wrong(at, at + digits.len() + 1, message)
    })
}
