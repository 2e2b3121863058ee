//! Sec. 7.2 of [MR16]: how often assumptions are not well-separated, and how fast that is
//! found. The paper has 79 specifications: 19 well-separated; 4 (P-all, E-safe), 11
//! (P-reach, E-safe) with (P-all, E-just), 12 (P-reach, E-safe), 26 (P-all, E-just), 7
//! (P-reach, E-just); 15 of the others are well-separated with the guarantees; cores of one
//! (45) or two (15) assumptions; median 15 ms, at most 250 ms.

use crate::support::{Page, Row, read, row_limit, stem};
use respin::bdd::Result;
use respin::explain::separation::{Case, Scope, Separation, relevant_part};
use respin::game::gr1::Gr1Game;
use respin::spec::gr1::Gr1;
use std::collections::BTreeMap;
use std::path::PathBuf;

struct Found {
    cases: Vec<Case>,
    guarded: Vec<Case>,
    core: Option<usize>,
    /// CPU seconds of the cases, of the cases with guarantees, and of the core.
    seconds: [f64; 3],
}

pub fn run(files: &[PathBuf], limit: Option<f64>, page: &mut Page) {
    let mut lines = Vec::new();
    tell(files, limit, &mut |line: String| {
        println!("{line}");
        lines.push(line);
    });
    if page.writes()
        && let Err(error) = page.write_all(&lines)
    {
        eprintln!("docs/benchmarks.md: {error}");
    }
}

fn tell(files: &[PathBuf], limit: Option<f64>, say: &mut dyn FnMut(String)) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut times = Vec::new();
    let mut guarded = 0;
    for file in files {
        let row = Row::new(row_limit(file, limit));
        let found = read(file).and_then(|spec| {
            let row = Row::new(row_limit(file, limit));
            measure(&spec, &row).map_err(|error| error.to_string())
        });
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                say(format!("{:60} {error}", stem(file)));
                continue;
            }
        };
        let cases = text(&found.cases);
        say(format!(
            "{:60} {cases:34} with guarantees {:34} core {} | {:.1} ms {:.1} ms {:.1} ms, {:.2} s",
            stem(file),
            text(&found.guarded),
            found.core.map_or("-".to_string(), |size| size.to_string()),
            found.seconds[0] * 1e3,
            found.seconds[1] * 1e3,
            found.seconds[2] * 1e3,
            row.used()
        ));
        guarded += usize::from(!found.cases.is_empty() && found.guarded.is_empty());
        *counts.entry(cases).or_default() += 1;
        if let Some(size) = found.core {
            *sizes.entry(size).or_default() += 1;
        }
        times.push(found.seconds[0]);
    }
    times.sort_by(f64::total_cmp);
    say(String::new());
    for (cases, count) in counts {
        say(format!("{count:3} {cases}"));
    }
    say(format!(
        "{guarded:3} not well-separated alone, but with the guarantees"
    ));
    for (size, count) in sizes {
        say(format!("{count:3} cores of {size}"));
    }
    if let (Some(median), Some(most)) = (times.get(times.len() / 2), times.last()) {
        say(format!(
            "median {:.1} ms, at most {:.1} ms",
            median * 1e3,
            most * 1e3
        ));
    }
}

fn text(cases: &[Case]) -> String {
    if cases.is_empty() {
        return "well-separated".to_string();
    }
    let texts: Vec<String> = cases.iter().map(|case| case.text()).collect();
    texts.join(" ")
}

fn measure(spec: &Gr1, row: &Row) -> Result<Found> {
    let mut seconds = [0.0; 3];
    let part = relevant_part(spec, Scope::Environment);
    let game = Gr1Game::new(&part, row.limits())?;
    let mut separation = Separation::new(&game)?;
    let cases = separation.cases()?;
    seconds[0] = row.used();
    let core = match cases.is_empty() {
        true => None,
        false => separation.core(true)?.map(|core| core.len()),
    };
    seconds[2] = row.used() - seconds[0];
    let before = row.used();
    let part = relevant_part(spec, Scope::Guarantees);
    let game = Gr1Game::new(&part, row.limits())?;
    let guarded = Separation::new(&game)?.cases()?;
    seconds[1] = row.used() - before;
    Ok(Found {
        cases,
        guarded,
        core,
        seconds,
    })
}
