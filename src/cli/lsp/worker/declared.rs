//! Names that property files and specifications declare, found by the words before them. A
//! text with mistakes has names as well; what is said of them is never a verdict.

use crate::load::Format;

/// A name where it is declared.
#[derive(Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub start: usize,
    pub about: &'static str,
}

/// A word or a symbol of a text.
#[derive(Clone, Copy, Debug)]
struct Piece<'t> {
    text: &'t str,
    start: usize,
    is_word: bool,
    line: usize,
}

/// All names that a text declares.
pub fn declared(text: &str, format: Format) -> Vec<Declared> {
    let hash_comments = matches!(format, Format::Slugs | Format::StructuredSlugs);
    let pieces = pieces(text, hash_comments);
    match format {
        Format::Properties => after_words(&pieces, &[("define", "definition")]),
        Format::Spectra => spectra(&pieces),
        Format::Tlsf => tlsf(&pieces),
        Format::Slugs | Format::StructuredSlugs => slugs(&pieces),
        _ => Vec::new(),
    }
}

/// Words and symbols, without comments and texts in quotes.
fn pieces(text: &str, hash_comments: bool) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut line = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '$' | '@' | '\'');
        let is_comment = rest.starts_with("//") || rest.starts_with("--") && !hash_comments;
        let length = if is_comment || hash_comments && first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|one| !is_part(one)).unwrap_or(rest.len());
            found.push(Piece {
                text: &rest[..length],
                start: at,
                is_word: true,
                line,
            });
            length
        } else {
            if !first.is_whitespace() {
                found.push(Piece {
                    text: &rest[..first.len_utf8()],
                    start: at,
                    is_word: false,
                    line,
                });
            }
            first.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    found
}

fn declare(piece: &Piece<'_>, about: &'static str) -> Declared {
    Declared {
        name: piece.text.to_string(),
        start: piece.start,
        about,
    }
}

/// The word after each of these words.
fn after_words(pieces: &[Piece<'_>], words: &[(&str, &'static str)]) -> Vec<Declared> {
    let pairs = pieces.windows(2).filter(|pair| pair[1].is_word);
    let found = pairs.filter_map(|pair| {
        let (_, about) = words.iter().find(|(word, _)| *word == pair[0].text)?;
        Some(declare(&pair[1], about))
    });
    found.collect()
}

/// What variables are declared with, and whose they are.
const VARIABLES: [(&[&str], &str); 3] = [
    (
        &["env", "envvar", "in", "input"],
        "variable of the environment",
    ),
    (
        &["sys", "sysvar", "out", "output"],
        "variable of the system",
    ),
    (&["aux", "auxvar", "var"], "auxiliary variable"),
];
const REQUIREMENTS: [(&str, &str); 4] = [
    ("asm", "assumption"),
    ("assumption", "assumption"),
    ("gar", "guarantee"),
    ("guarantee", "guarantee"),
];

fn owner(word: &str) -> Option<&'static str> {
    let owner = VARIABLES.iter().find(|(words, _)| words.contains(&word));
    owner.map(|(_, about)| *about)
}

fn spectra(pieces: &[Piece<'_>]) -> Vec<Declared> {
    const NAMED: [(&str, &str); 8] = [
        ("define", "definition"),
        ("type", "type"),
        ("predicate", "predicate"),
        ("pattern", "pattern"),
        ("regexp", "regular expression"),
        ("counter", "counter"),
        ("weight", "weight"),
        ("module", "module"),
    ];
    let mut found = after_words(pieces, &NAMED);
    for (index, piece) in pieces.iter().enumerate() {
        let rest = &pieces[index + 1..];
        if let Some((_, about)) = REQUIREMENTS.iter().find(|(word, _)| *word == piece.text)
            && let [name, mark, ..] = rest
            && name.is_word
            && matches!(mark.text, ":" | "{")
        {
            found.push(declare(name, about));
        }
        let about = match piece.text {
            "monitor" => Some("monitor"),
            word => owner(word),
        };
        // `in` is also an operator; nothing of a requirement ends in a name before `;` or `{`
        // that follows a type.
        let Some(about) = about.filter(|_| starts_statement(pieces, index)) else {
            continue;
        };
        variable(rest, about, &mut found);
    }
    // Further definitions of one `define`: names before `:=`.
    for triple in pieces.windows(3) {
        if triple[0].is_word && triple[1].text == ":" && triple[2].text == "=" {
            found.push(declare(&triple[0], "definition"));
        }
    }
    found.sort_by_key(|one| one.start);
    found.dedup_by_key(|one| one.start);
    found
}

fn starts_statement(pieces: &[Piece<'_>], index: usize) -> bool {
    match index.checked_sub(1) {
        None => true,
        // The name of the module stands before the first declaration.
        Some(before) => {
            let piece = &pieces[before];
            !piece.is_word && matches!(piece.text, ";" | "}") || piece.line < pieces[index].line
        }
    }
}

/// A type and a name, up to `;`, with the values of an enumeration.
fn variable(rest: &[Piece<'_>], about: &'static str, found: &mut Vec<Declared>) {
    let mut depth = 0;
    let mut last: Option<&Piece<'_>> = None;
    for piece in rest {
        match piece.text {
            // The body of a monitor begins behind its name.
            "{" if about == "monitor" && last.is_some() => break,
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            ";" | ":" | "=" if depth == 0 => break,
            // A `;` was forgotten.
            word if depth == 0 && last.is_some() && owner(word).is_some() => break,
            _ if piece.is_word && depth == 0 => last = Some(piece),
            _ if piece.is_word && depth == 1 => found.push(declare(piece, "value")),
            _ => {}
        }
    }
    found.extend(last.map(|piece| declare(piece, about)));
}

fn tlsf(pieces: &[Piece<'_>]) -> Vec<Declared> {
    const SECTIONS: [(&str, &str); 4] = [
        ("INPUTS", "input"),
        ("OUTPUTS", "output"),
        ("PARAMETERS", "parameter"),
        ("DEFINITIONS", "definition"),
    ];
    let mut found = Vec::new();
    let mut section: Option<&'static str> = None;
    let mut depth = 0;
    let mut names: Vec<&Piece<'_>> = Vec::new();
    let mut is_open = false;
    for piece in pieces {
        if let Some((_, about)) = SECTIONS.iter().find(|(word, _)| *word == piece.text) {
            (section, depth, is_open) = (Some(*about), 0, false);
            names.clear();
            continue;
        }
        let Some(about) = section else {
            continue;
        };
        match piece.text {
            "{" => {
                depth += 1;
                is_open = depth == 1;
            }
            "}" => {
                depth -= 1;
                if depth <= 0 {
                    section = None;
                }
            }
            ";" => {
                // Of `mode m;`, the second word is the name, and the first one its type.
                let name = match about {
                    "input" | "output" => names.last(),
                    _ => names.first(),
                };
                found.extend(name.map(|piece| declare(piece, about)));
                names.clear();
                is_open = depth == 1;
            }
            "=" | "(" | "[" => is_open = false,
            _ if piece.is_word && is_open => names.push(piece),
            _ => {}
        }
    }
    found
}

fn slugs(pieces: &[Piece<'_>]) -> Vec<Declared> {
    let mut found = Vec::new();
    let mut about = None;
    let mut last_line = None;
    for (index, piece) in pieces.iter().enumerate() {
        let is_header = index > 0 && pieces[index - 1].text == "[";
        if is_header && piece.is_word {
            about = match piece.text {
                "INPUT" => Some("variable of the environment"),
                "OUTPUT" => Some("variable of the system"),
                _ => None,
            };
            last_line = Some(piece.line);
        } else if let Some(about) = about
            && piece.is_word
            && last_line != Some(piece.line)
        {
            found.push(declare(piece, about));
            last_line = Some(piece.line);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: Format, text: &str, expected: &[(&str, &str)]) {
        let found = declared(text, format);
        let found: Vec<(&str, &str)> = found
            .iter()
            .inspect(|one| assert!(text[one.start..].starts_with(&one.name)))
            .map(|one| (one.name.as_str(), one.about))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn definitions_of_property_files() {
        let text = "// define no := 1;\ndefine waiting := state == WAIT;\nassert G waiting;";
        check(Format::Properties, text, &[("waiting", "definition")]);
    }

    #[test]
    fn declarations_of_spectra() {
        let text = "module M\nenv boolean a;\nsys {RED, GREEN} light; -- sys boolean no;\n\
            type T = Int(0..3);\ndefine d := a; e := !a;\nmonitor boolean m { ini m; }\n\
            gar live: GF a;\nasm GF light in {RED};\npredicate p(boolean x): x;";
        let expected = [
            ("M", "module"),
            ("a", "variable of the environment"),
            ("RED", "value"),
            ("GREEN", "value"),
            ("light", "variable of the system"),
            ("T", "type"),
            ("d", "definition"),
            ("e", "definition"),
            ("m", "monitor"),
            ("live", "guarantee"),
            ("p", "predicate"),
        ];
        check(Format::Spectra, text, &expected);
    }

    #[test]
    fn declarations_of_tlsf() {
        let text = "INFO { TITLE: \"INPUTS { x; }\" } GLOBAL { PARAMETERS { n = 2; } \
            DEFINITIONS { f(x) = x; } } MAIN { INPUTS { a; b[n]; mode m; } OUTPUTS { c; } \
            GUARANTEE { G (a -> c); } }";
        let expected = [
            ("n", "parameter"),
            ("f", "definition"),
            ("a", "input"),
            ("b", "input"),
            ("m", "input"),
            ("c", "output"),
        ];
        check(Format::Tlsf, text, &expected);
    }

    #[test]
    fn declarations_of_slugs() {
        let text = "[INPUT]\na # b\n\n[OUTPUT]\nc:0...3\n[SYS_TRANS]\n| c ! a\n";
        let expected = [
            ("a", "variable of the environment"),
            ("c", "variable of the system"),
        ];
        check(Format::StructuredSlugs, text, &expected);
    }

    #[test]
    fn broken_texts_have_names_as_well() {
        for format in [
            Format::Properties,
            Format::Spectra,
            Format::Tlsf,
            Format::Slugs,
        ] {
            for text in [
                "",
                "{{{{",
                "\"",
                "/*",
                "env",
                "sys boolean",
                "INPUTS {",
                "[INPUT]",
                "é ",
            ] {
                declared(text, format);
            }
        }
        let expected = [
            ("a", "variable of the environment"),
            ("b", "variable of the system"),
        ];
        check(
            Format::Spectra,
            "env boolean a\nsys boolean b;\ngar ((",
            &expected,
        );
    }
}
