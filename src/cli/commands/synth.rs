//! `respin synth`: writes a controller that satisfies a specification.

use super::not_available;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read;
use crate::cli::output::check_output;
use crate::cli::request::SynthRequest;
use crate::report::Report;

pub fn synth(request: &SynthRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, [&request.spec.file])?;
    read(&request.spec.file, context)?;
    Err(not_available("synth"))
}
