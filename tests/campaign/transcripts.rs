//! Whole transcripts: plans that are wrong, each with its place, and repairs in parts.

use super::RESPIN;
use crate::golden::{folder, transcripts};
use std::process::{Command, Output};

fn run(line: &str) -> Output {
    let mut command = Command::new(RESPIN);
    command
        .args(line.split_whitespace())
        .current_dir(folder("campaign/inputs"))
        .env_remove("NO_COLOR");
    command.output().expect("respin starts")
}

transcripts! {
    folder("campaign") => run,
    empty_results
    except_unused
    limit_negative
    limit_value
    limit_with_space
    matrix_kind
    missing_trace
    no_files
    no_verdict
    option_expect
    option_format
    option_value
    part_with_faults
    part_wrong
    repair_part
    repair_split
    same_name
    split_of_verify
    split_with_faults
    split_with_pick
    unknown_key
    unknown_option
    writes
}
