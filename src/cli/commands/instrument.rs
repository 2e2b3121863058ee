//! `respin instrument`: writes the repair game of a design as a circuit.

use super::not_available;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_all;
use crate::cli::output::check_output;
use crate::cli::request::InstrumentRequest;
use crate::report::Report;

pub fn instrument(request: &InstrumentRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, request.design.files())?;
    read_all(request.design.files(), context)?;
    Err(not_available("instrument"))
}
