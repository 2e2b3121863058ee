//! Circuits as subjects of repair.

use respin::design::Netlist;
use respin::design::aiger::{AigerFile, AigerFrontEnd};
use respin::source::Sources;
use respin::spec::Spec;
use respin::subject::Subject;
use std::rc::Rc;

/// A circuit with its own properties, or with these in place of them; its components are those
/// of a netlist of it.
pub fn subject(file: &AigerFile, netlist: &Netlist, spec: Option<&Spec>) -> Subject {
    let mut sources = Sources::new();
    let bytes = file.to_bytes().expect("the file can be written");
    let id = sources.add_binary("circuit", bytes);
    let front_end = AigerFrontEnd::of_file(file.clone(), id, spec.is_some());
    let front_end = Rc::new(front_end.with_netlist(netlist.clone()));
    let subject = match spec {
        Some(spec) => Subject::with_spec(front_end, spec.clone(), sources),
        None => Subject::new(front_end, &[], sources),
    };
    subject.expect("the properties fit the design")
}
