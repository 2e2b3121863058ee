//! `respin convert`: translates a specification to another format.

use super::not_available;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read;
use crate::cli::output::check_output;
use crate::cli::request::ConvertRequest;
use crate::report::Report;

pub fn convert(request: &ConvertRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, [&request.spec.file])?;
    read(&request.spec.file, context)?;
    Err(not_available("convert"))
}
