//! Table 1 of [CRST08]: explanations of verdicts, in two steps.

use crate::support::{Page, Row, read, row_limit, show, stem};
use respin::explain::{Minimizer, Oracle, Reading, core, helpful};
use respin::game::gr1::Gr1Game;
use std::path::{Path, PathBuf};

pub fn run(files: &[PathBuf], limit: Option<f64>, page: &mut Page) {
    page.say(
        "assumptions / guarantees, realizable, step 1 (CPU s, size), step 2 (CPU s, size)"
            .to_string(),
    );
    for file in files {
        let row = Row::new(row_limit(file, limit));
        let name = stem(file);
        match measure(file, &row) {
            Ok(text) => page.say(format!("{name:44} {text} checks, {:7.1} s", row.used())),
            Err(error) => page.say(format!("{name:44} {error}")),
        }
    }
}

fn measure(file: &Path, row: &Row) -> std::result::Result<String, String> {
    let spec = read(file)?;
    let game = Gr1Game::new(&spec, row.limits()).map_err(|error| error.to_string())?;
    let mut oracle = Oracle::new(&game, Reading::Strict);
    let realizable = file.display().to_string().contains("/realizable/");
    let (assumptions, guarantees) = (oracle.lacks().len(), oracle.guarantees().len());
    let minimizer = Minimizer::QuickXplain;
    let first = if realizable {
        let whole = oracle.whole();
        helpful::sufficient(&mut oracle, minimizer, &whole)
    } else {
        let outputs = oracle.outputs();
        let found = core(&mut oracle, Minimizer::DeltaDebugging, false);
        found.map(|core| core.unwrap_or_else(|| oracle.whole()).minus(&outputs))
    };
    let first_seconds = row.used();
    let second = match (&first, realizable) {
        (Ok(kept), true) => helpful::needing_guarantees(&mut oracle, minimizer, kept),
        (Ok(kept), false) => {
            let conflict = kept.union(&oracle.outputs());
            helpful::conflict_assumptions(&mut oracle, minimizer, &conflict, kept)
        }
        (Err(error), _) => Err(*error),
    };
    let kept = first.as_ref().map_or(0, |kept| kept.len());
    let sizes = |assumptions: usize, guarantees: usize| format!("{assumptions}/{guarantees}");
    let first = first.map(|_| match realizable {
        true => sizes(kept, guarantees),
        false => sizes(assumptions, kept),
    });
    let second = second.map(|found| match realizable {
        true => sizes(kept, found.len()),
        false => sizes(found.len(), kept),
    });
    Ok(format!(
        "{assumptions:3}/{guarantees:4} {} {first_seconds:7.2} {:>8} {:7.2} {:>8} {:5}",
        if realizable { "R" } else { "U" },
        show(&first),
        row.used() - first_seconds,
        show(&second),
        oracle.statistics.checks()
    ))
}
