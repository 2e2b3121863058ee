//! `respin verify`: checks a design against its properties.

use super::not_available;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_all;
use crate::cli::request::VerifyRequest;
use crate::report::Report;

pub fn verify(request: &VerifyRequest, context: &mut Context) -> Result<Report, Failure> {
    read_all(request.design.files(), context)?;
    Err(not_available("verify"))
}
