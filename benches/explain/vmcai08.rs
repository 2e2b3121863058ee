//! Table 1 of [CRST08]: explanations of verdicts, in two steps.

use crate::support::{Page, Row, read, row_limit, show, stem};
use respin::explain::{Minimizer, Oracle, Semantics, core, helpful};
use respin::game::gr1::Gr1Game;
use std::path::{Path, PathBuf};

/// What the paper has left after each step; T and M are its limits on time and memory.
const PAPER: &str = "
amba_ahb_realizable_amba_ahb_1 2/52 2/18
amba_ahb_w_guar_fairness_amba_ahb_1 8/4 1/4
amba_ahb_w_guar_trans_amba_ahb_1 8/2 0/2
amba_ahb_wo_ass_fairness_amba_ahb_1 5/12 0/12
amba_ahb_realizable_amba_ahb_2 4/80 4/25
amba_ahb_w_guar_fairness_amba_ahb_2 11/9 3/9
amba_ahb_w_guar_trans_amba_ahb_2 11/7 2/7
amba_ahb_wo_ass_fairness_amba_ahb_2 10/10 0/10
amba_ahb_realizable_amba_ahb_3 2/108 2/15
amba_ahb_w_guar_fairness_amba_ahb_3 14/6 1/6
amba_ahb_w_guar_trans_amba_ahb_3 14/3 0/3
amba_ahb_wo_ass_fairness_amba_ahb_3 13/10 0/10
amba_ahb_realizable_amba_ahb_4 6/137 T
amba_ahb_w_guar_fairness_amba_ahb_4 17/14 3/14
amba_ahb_w_guar_trans_amba_ahb_4 17/11 2/11
amba_ahb_wo_ass_fairness_amba_ahb_4 16/10 0/10
amba_ahb_realizable_amba_ahb_5 T T
amba_ahb_w_guar_fairness_amba_ahb_5 20/12 3/12
amba_ahb_w_guar_trans_amba_ahb_5 20/10 2/10
amba_ahb_wo_ass_fairness_amba_ahb_5 19/10 0/10
gen_buf_realizable_5_genbuf 15/81 15/37
gen_buf_w_guar_fairness_5_genbuf 28/10 3/10
gen_buf_w_guar_trans_5_genbuf 28/11 5/11
gen_buf_wo_ass_fairness_5_genbuf 27/10 1/10
gen_buf_realizable_10_genbuf 20/152 20/57
gen_buf_w_guar_fairness_10_genbuf 43/15 3/15
gen_buf_w_guar_trans_10_genbuf 43/16 5/16
gen_buf_wo_ass_fairness_10_genbuf 42/10 1/10
gen_buf_realizable_20_genbuf 30/368 M
gen_buf_w_guar_fairness_20_genbuf 73/25 3/25
gen_buf_w_guar_trans_20_genbuf T T
gen_buf_wo_ass_fairness_20_genbuf 72/10 1/10
gen_buf_realizable_30_genbuf 40/683 M
gen_buf_w_guar_fairness_30_genbuf T T
gen_buf_w_guar_trans_30_genbuf T T
gen_buf_wo_ass_fairness_30_genbuf 102/10 1/10
";

pub fn run(files: &[PathBuf], limit: Option<f64>, page: &mut Page) {
    page.head(
        "assumptions / guarantees, realizable, step 1 (CPU s, size), step 2 (CPU s, size); \
         [the paper's sizes]",
        |_| None,
    );
    for file in files {
        let row = Row::new(row_limit(file, limit));
        let name = stem(file);
        let text = match measure(file, &row) {
            Ok(text) => format!("{text} checks, {:7.1} s {}", row.used(), paper(&name)),
            Err(error) => error,
        };
        page.row(format!("{name:36} {text}"));
    }
}

fn paper(name: &str) -> String {
    let mut lines = PAPER.lines().filter_map(|line| line.split_once(' '));
    let found = lines.find(|(row, _)| *row == name);
    found.map_or(String::new(), |(_, sizes)| format!("[{sizes}]"))
}

fn measure(file: &Path, row: &Row) -> std::result::Result<String, String> {
    let spec = read(file)?;
    let game = Gr1Game::new(&spec, row.limits()).map_err(|error| error.to_string())?;
    let mut oracle = Oracle::new(&game, Semantics::Strict);
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
