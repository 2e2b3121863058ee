//! One function for each command: it reads its inputs, works, and returns a report.
//!
//! `?` ends a command early with what is wrong or with the limit that was reached; nothing
//! here prints or exits.

mod campaign;
mod check;
mod completions;
mod controller;
mod convert;
mod delivery;
mod explain;
mod help_code;
mod instrument;
mod man;
mod mutate;
mod play;
mod repair;
mod simulate;
mod synth;
mod verify;

use super::context::{Context, Failure};
use super::request::Request;
use crate::report::Report;

pub fn execute(request: &Request, context: &mut Context) -> Result<Report, Failure> {
    match request {
        Request::Repair(request) => repair::repair(request, context),
        Request::Verify(request) => verify::verify(request, context),
        Request::Check(request) => check::check(request, context),
        Request::Explain(request) => explain::explain(request, context),
        Request::Play(request) => play::play(request, context),
        Request::Simulate(request) => simulate::simulate(request, context),
        Request::Synth(request) => synth::synth(request, context),
        Request::Instrument(request) => instrument::instrument(request, context),
        Request::Convert(request) => convert::convert(request, context),
        Request::Mutate(request) => mutate::mutate(request, context),
        Request::Campaign(request) => campaign::campaign(request, context),
        Request::HelpCode(request) => help_code::help_code(request),
        Request::Completions(request) => completions::completions(request),
        Request::Man(request) => man::man(request),
    }
}
