//! `respin repair`: finds the fault of a design and fixes it.

use super::not_available;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_all;
use crate::cli::output::check_output;
use crate::cli::request::RepairRequest;
use crate::report::Report;

pub fn repair(request: &RepairRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, request.design.files())?;
    read_all(request.design.files(), context)?;
    Err(not_available("repair"))
}
