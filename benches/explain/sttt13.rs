//! Table 1 of [KHB11]: cores, single-fault diagnoses, graphs and countertraces.

use crate::support::{Page, Row, read, row_limit, show, stem};
use respin::bdd::{Error, Result};
use respin::explain::{
    Counterstrategy, Minimizer, Oracle, Semantics, Subset, core, countertrace, graph, hold,
    single_faults,
};
use respin::game::gr1::{Gr1Game, Selection};
use respin::spec::gr1::Gr1;
use std::path::{Path, PathBuf};

/// Graphs are cut here, as in the paper.
const NODES: usize = 1000;

/// Columns 4, 6, 7, 10, 11 and 12 of the paper.
const PAPER: &str = "
A2woef1 7 27 yes 9 5 yes
A4woef1 8 75 yes 11 13 yes
A5woef1 9 139 yes 12 5 yes
A2wsf1 6 59 yes 8 5 yes
A4wsf1 7 171 yes 9 5 yes
A5wsf1 7 683 yes 9 5 yes
A2wsf2 6 9 yes 12 7 yes
A4wsf2 7 35 yes 20 13 yes
A5wsf2 12 9 yes 12 17 yes
A2wst1 8 51 yes 9 7 yes
A4wst1 9 139 yes 11 19 yes
A5wst1 10 >1k yes 12 43 yes
A2wst2 8 7 yes 10 7 yes
A4wst2 9 7 yes 12 19 yes
A5wst2 10 7 yes 13 63 yes
G5woef1 10 192 no 15 52 no
G20woef1 10 >1k no 15 52 no
G100woef1 10 ? no 15 52 no
G5wsf1 14 249 no 19 3 yes
G20wsf1 44 789 no 49 3 yes
G100wsf1 ? ? no ? ? ?
G5wsf2 2 >1k no 7 36 no
G20wsf2 2 >1k no 14 58 no
G100wsf2 2 ? no 7 36 no
G5wst1 1 7 yes 7 4 yes
G20wst1 1 22 yes 7 4 yes
G100wst1 1 46 yes 7 4 yes
G5wst2 2 37 no 9 4 yes
G20wst2 2 118 no 9 4 yes
G100wst2 2 262 no 9 4 yes
";

pub fn run(files: &[PathBuf], limit: Option<f64>, page: &mut Page) {
    page.head(
        "columns: core (CPU s, checks, size), graph and countertrace on it, single-fault \
         diagnoses (strict, implication), graph and countertrace of the whole; \
         a countertrace is `held` if it is one for systems that keep outputs outside of the \
         core at one value; [the paper's: core, graph, trace, diagnoses, graph, trace]",
        countertraces,
    );
    for file in files {
        let row = Row::new(row_limit(file, limit));
        let text = match measure(file, &row) {
            Err(error) => error,
            Ok(found) => format!("{} {}", found.text(), paper(file)),
        };
        page.row(format!("{:10} {text}", stem(file)));
    }
}

/// How often there is a countertrace.
fn countertraces(rows: &[String]) -> Option<String> {
    let (mut on_core, mut on_whole) = (0, 0);
    for row in rows {
        let columns: Vec<&str> = row.split('|').collect();
        if let [core, _, whole, ..] = columns.as_slice() {
            let ends = |column: &str, word: &str| column.trim_end().ends_with(word);
            on_core += usize::from(ends(core, "yes") || ends(core, "held"));
            on_whole += usize::from(ends(whole, "yes"));
        }
    }
    Some(format!(
        "{} rows; countertraces: {on_core} on cores, {on_whole} on whole ones",
        rows.len()
    ))
}

fn paper(file: &Path) -> String {
    let name = stem(file);
    let line = PAPER
        .lines()
        .find(|line| line.split(' ').next() == Some(&name));
    let cells: Vec<&str> = line.unwrap_or("").split(' ').collect();
    match cells.as_slice() {
        [_, diagnoses, graph, trace, core, core_graph, core_trace] => {
            format!("[{core} {core_graph} {core_trace} {diagnoses} {graph} {trace}]")
        }
        _ => String::new(),
    }
}

struct Found {
    core_seconds: f64,
    checks: usize,
    core: Result<usize>,
    core_graph: Result<String>,
    core_trace: Result<&'static str>,
    strict: Result<String>,
    implication: Result<String>,
    whole_graph: Result<String>,
    whole_trace: Result<&'static str>,
    seconds: f64,
}

impl Found {
    fn text(&self) -> String {
        format!(
            "core {:6.2} {:4} {:>4} {:>4} {:4} | diagnoses {:>4} {:>4} | whole {:>4} {:4} | {:7.1}",
            self.core_seconds,
            self.checks,
            show(&self.core),
            show(&self.core_graph),
            show(&self.core_trace),
            show(&self.strict),
            show(&self.implication),
            show(&self.whole_graph),
            show(&self.whole_trace),
            self.seconds
        )
    }
}

fn measure(file: &Path, row: &Row) -> std::result::Result<Found, String> {
    let spec = read(file)?;
    row.share(0.4);
    let game = Gr1Game::new(&spec, row.limits()).map_err(|error| error.to_string())?;
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let found = core(&mut oracle, Minimizer::DeltaDebugging, true);
    let found = found.and_then(|core| core.ok_or(Error::Interrupted));
    let core_seconds = row.used();
    let checks = oracle.statistics.checks();
    let (core_graph, core_trace) = match &found {
        Ok(core) => plays(&mut oracle, core, row),
        Err(error) => (Err(*error), Err(*error)),
    };
    let (whole_graph, whole_trace) = match Gr1Game::new(&spec, row.limits()) {
        Ok(fresh) => {
            let mut oracle = Oracle::new(&fresh, Semantics::Strict);
            let whole = oracle.whole();
            plays(&mut oracle, &whole, row)
        }
        Err(error) => (Err(error), Err(error)),
    };
    row.share(0.05);
    let implication = count_single_faults(&spec, row, Semantics::Implication, None);
    row.share(1.0);
    let strict = count_single_faults(&spec, row, Semantics::Strict, found.as_ref().ok());
    Ok(Found {
        core_seconds,
        checks,
        core: found.map(|core| core.len()),
        core_graph,
        core_trace,
        strict,
        implication,
        whole_graph,
        whole_trace,
        seconds: row.used(),
    })
}

/// The graph and the countertrace of a set, each with a share of the row.
fn plays(oracle: &mut Oracle, set: &Subset, row: &Row) -> (Result<String>, Result<&'static str>) {
    row.share(0.1);
    let strategy = oracle.counterstrategy(set);
    let strategy = match strategy {
        Ok(Some(strategy)) => strategy,
        Ok(None) => return (Err(Error::Interrupted), Err(Error::Interrupted)),
        Err(error) => return (Err(error), Err(error)),
    };
    row.share(0.05);
    let released = oracle.selection(set).released;
    let graph = graph(&strategy, &released, NODES).map(|graph| {
        if graph.truncated {
            ">1k".to_string()
        } else {
            graph.nodes.len().to_string()
        }
    });
    row.share(0.05);
    let game = oracle.game();
    let trace = if *set == oracle.whole() {
        // The counterstrategy is that of the whole specification already.
        countertrace(&strategy, None)
    } else {
        let everything = game.rules(&Selection::everything(game.spec()));
        everything.and_then(|whole| countertrace(&strategy, Some(&whole)))
    };
    let is_found = trace.as_ref().map(|trace| trace.is_some());
    // A search that has found nothing in its time does not say that there is nothing held.
    row.share(0.05);
    let trace = match is_found {
        Ok(true) => Ok("yes"),
        _ => match (held_trace(oracle, set), trace) {
            (Ok(true), _) => Ok("held"),
            (Ok(false), Ok(_)) => Ok("no"),
            (Err(error), _) | (_, Err(error)) => Err(error),
        },
    };
    (graph, trace)
}

/// Whether there is a countertrace for systems that leave outputs outside of the core alone.
fn held_trace(oracle: &Oracle, set: &Subset) -> Result<bool> {
    let Some(held) = hold(oracle, set)? else {
        return Ok(false);
    };
    let rules = held.game.rules(&held.selection)?;
    match Counterstrategy::new(rules)? {
        Some(strategy) if !held.values.is_empty() => Ok(countertrace(&strategy, None)?.is_some()),
        _ => Ok(false),
    }
}

/// Counts the single-fault diagnoses, with the help of a core if there is one.
fn count_single_faults(
    spec: &Gr1,
    row: &Row,
    reading: Semantics,
    core: Option<&Subset>,
) -> Result<String> {
    let game = Gr1Game::new(spec, row.limits())?;
    let mut oracle = Oracle::new(&game, reading);
    let whole = oracle.whole();
    let conflict = match core {
        Some(core) => {
            oracle.learn(core, true);
            core.clone()
        }
        None if !oracle.conflicts(&whole)? => return Ok("real".to_string()),
        None => {
            let none = Subset::new(oracle.size());
            oracle.minimal_conflict(Minimizer::DeltaDebugging, &whole, &none)?
        }
    };
    let mut count = 0;
    Ok(
        match single_faults(&mut oracle, &conflict, &mut |_| count += 1) {
            Ok(()) => count.to_string(),
            Err(_) => format!(">={count}"),
        },
    )
}
