//! `respin play`: plays against a counterstrategy or a controller.

use super::not_available;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read;
use crate::cli::request::SpecRequest;
use crate::report::Report;

pub fn play(request: &SpecRequest, context: &mut Context) -> Result<Report, Failure> {
    read(&request.spec.file, context)?;
    Err(not_available("play"))
}
