//! What a line of a play can go on with, for whoever lets the user press Tab.
//!
//! A line is a command, or settings as `explain::settings` reads them: `hungry=true count = 3`.
//! Only the end of a word is completed: a command if it is the first word, a variable that the
//! line does not set yet, or a value of the variable before the `=`. Whatever is offered is
//! read without complaint; a variable with more values than are listed gets none, since the
//! letters that a part of them shares say nothing about the others.

use super::view::Choice;
use crate::explain::settings::words;

/// The words that can stand at a place of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The byte at which the word begins that they replace.
    pub start: usize,
    pub candidates: Vec<Candidate>,
}

/// A word that can be put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What a list of candidates shows.
    pub shown: String,
    /// What is put into the line: with the `=` of a name, or the space behind a value.
    pub text: String,
}

/// How the word that ends at a byte of a line can go on.
pub fn complete(line: &str, cursor: usize, choices: &[Choice], commands: &[&str]) -> Completion {
    let (Some(before), Some(after)) = (line.get(..cursor), line.get(cursor..)) else {
        return Completion::default();
    };
    let is_inside = after.starts_with(|next: char| !next.is_whitespace());
    if is_inside || before.contains('#') {
        return Completion::default();
    }
    let ends_word = |letter: char| letter.is_whitespace() || letter == '=';
    let start = before.rfind(ends_word).map_or(0, |at| {
        at + before[at..].chars().next().map_or(1, char::len_utf8)
    });
    let (rest, word) = before.split_at(start);
    let candidates = match rest.trim_end().strip_suffix('=') {
        Some(rest) => values(rest, word, choices),
        None => names(rest, word, after, choices, commands),
    };
    Completion { start, candidates }
}

/// Values of the variable that the text before the `=` ends with.
fn values(rest: &str, word: &str, choices: &[Choice]) -> Vec<Candidate> {
    let name = rest.split_whitespace().next_back().unwrap_or_default();
    let choice = choices.iter().find(|choice| choice.name == name);
    let Some(choice) = choice.filter(|choice| !choice.is_cut) else {
        return Vec::new();
    };
    let values = choice.values.iter();
    let values = values.filter(|value| value.starts_with(word));
    values
        .map(|value| Candidate {
            shown: value.clone(),
            text: format!("{value} "),
        })
        .collect()
}

/// Commands, if nothing else is in the line, and variables that are not set in it.
fn names(
    rest: &str,
    word: &str,
    after: &str,
    choices: &[Choice],
    commands: &[&str],
) -> Vec<Candidate> {
    let others = words(&format!("{rest} {after}"));
    let name_of = |setting: &String| setting.split('=').next().unwrap_or_default().to_string();
    let set: Vec<String> = others.iter().map(name_of).collect();
    let commands = commands.iter().filter(|_| others.is_empty());
    let commands = commands.map(|command| Candidate {
        shown: command.to_string(),
        text: command.to_string(),
    });
    let free = choices.iter().filter(|choice| !set.contains(&choice.name));
    let names = free.map(|choice| Candidate {
        shown: choice.name.clone(),
        text: format!("{}=", choice.name),
    });
    let all = names.chain(commands);
    all.filter(|candidate| candidate.shown.starts_with(word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdd::Limits;
    use crate::explain::play::{Play, play};
    use crate::load::{SpecOptions, spec_from_text};

    fn choice(name: &str, values: &[&str], is_cut: bool) -> Choice {
        Choice {
            name: name.to_string(),
            values: values.iter().map(|value| value.to_string()).collect(),
            is_cut,
            ..Choice::default()
        }
    }

    /// `|` is the cursor; expected are the lines that the candidates make.
    #[track_caller]
    fn check(marked: &str, expected: &[&str]) {
        let choices = [
            choice("grant", &["false", "true"], false),
            choice("grade", &["LOW", "LOWER", "HIGH"], false),
            choice("count", &["0", "1", "10"], false),
            choice("wide", &["100", "101"], true),
            choice("größe[0]", &["ja", "nein"], false),
        ];
        let cursor = marked.find('|').expect("a cursor");
        let line = marked.replacen('|', "", 1);
        let completion = complete(&line, cursor, &choices, &["help", "why"]);
        let made = completion.candidates.iter().map(|candidate| {
            let (before, after) = (&line[..completion.start], &line[cursor..]);
            format!("{before}{}|{after}", candidate.text)
        });
        assert_eq!(made.collect::<Vec<String>>(), expected, "{marked}");
    }

    #[test]
    fn an_empty_line_can_be_anything() {
        let all = [
            "grant=|",
            "grade=|",
            "count=|",
            "wide=|",
            "größe[0]=|",
            "help|",
            "why|",
        ];
        check("|", &all);
    }

    #[test]
    fn names_and_commands_go_on_with_what_was_typed() {
        check("gr|", &["grant=|", "grade=|", "größe[0]=|"]);
        check("  gran|", &["  grant=|"]);
        check("grö|", &["größe[0]=|"]);
        check("grant|", &["grant=|"]);
        check("w|", &["wide=|", "why|"]);
        check("nothing|", &[]);
    }

    #[test]
    fn values_are_those_of_the_variable() {
        check("grant=|", &["grant=false |", "grant=true |"]);
        check("grant=t|", &["grant=true |"]);
        check("grant = t|", &["grant = true |"]);
        check("grant =|", &["grant =false |", "grant =true |"]);
        check("grade=LOW|", &["grade=LOW |", "grade=LOWER |"]);
        check("grade=low|", &[]);
        check("count=1|", &["count=1 |", "count=10 |"]);
        check("größe[0]=n|", &["größe[0]=nein |"]);
        check("unknown=|", &[]);
    }

    #[test]
    fn a_part_of_the_values_is_not_offered() {
        check("wide=|", &[]);
        check("wide=1|", &[]);
    }

    #[test]
    fn what_the_line_sets_is_not_offered_again() {
        check("grant=true gra|", &["grant=true grade=|"]);
        check("gra| grade = LOW", &["grant=| grade = LOW"]);
        check(
            "count = 1 grade=LOW g|",
            &[
                "count = 1 grade=LOW grant=|",
                "count = 1 grade=LOW größe[0]=|",
            ],
        );
    }

    #[test]
    fn a_command_stands_alone() {
        check("grant=true h|", &[]);
        check("h| grant=true", &[]);
    }

    #[test]
    fn the_middle_of_a_word_and_comments_are_left_alone() {
        check("gr|ant", &[]);
        check("grant=tr|ue", &[]);
        check("# gr|", &[]);
    }

    #[test]
    fn places_that_a_line_does_not_have_are_no_panic() {
        let none = Completion::default();
        assert_eq!(complete("grö", 3, &[], &["x"]), none);
        assert_eq!(complete("gr", 7, &[], &["x"]), none);
    }

    /// A line that is made by completion alone sets every variable, and a play takes it.
    #[track_caller]
    fn check_taken(name: &str, text: &str, set: usize) {
        let loaded = spec_from_text(name, text, &SpecOptions::default());
        let (spec, _) = loaded.unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let mut taken = 0;
        let mut user = |play: &mut dyn Play| {
            play.prompt()?;
            let choices = play.choices();
            assert_eq!(choices, {
                let mut view = play.view(false)?.choices;
                view.iter_mut().for_each(|choice| choice.forced = None);
                view
            });
            let mut line = String::new();
            loop {
                let completion = complete(&line, line.len(), &choices, &[]);
                let Some(candidate) = completion.candidates.last() else {
                    break;
                };
                line.truncate(completion.start);
                line.push_str(&candidate.text);
            }
            assert_eq!(line.matches('=').count(), set, "{line}");
            let turn = play.answer(&line)?;
            assert!(turn.is_ok(), "{line}: {turn:?}");
            taken += 1;
            Ok(Ok(()))
        };
        let played = play(&spec, &Limits::default(), &mut |_| {}, &mut user);
        assert!(played.is_ok(), "{name} is played");
        assert_eq!(taken, 1, "{name}");
    }

    #[test]
    fn plays_take_what_is_completed() {
        let variables = "module M env Int(0..2) level; env boolean lever; \
            sys {LOW, HIGH} lamp; sys boolean[2] bulbs;";
        let realizable = format!("{variables} gar alw lamp = HIGH <-> level = 2;");
        check_taken("a.spectra", &realizable, 2);
        let lost = format!("{variables} gar alw lamp = HIGH & bulbs[1] <-> next(level) = 2;");
        // What the conflict is not about is not asked for.
        check_taken("b.spectra", &lost, 2);
        let tlsf = "INFO { TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: Mealy TARGET: Mealy } \
            MAIN { INPUTS { a; } OUTPUTS { b; c; } GUARANTEE { G (b <-> X a); G F c; } }";
        check_taken("c.tlsf", tlsf, 2);
    }
}
