//! Designs that another program reads in place of our own front end.

use super::attach::{attach, without_properties};
use super::{Project, SourceTree};
use crate::design::yosys_json::{Finder, YosysFrontEnd};
use crate::source::{Diagnostic, FileId, Sources};

/// Something else that reads Verilog, such as an installed Yosys.
pub trait Translator {
    /// The netlist of Yosys for these files.
    fn netlist(&self, files: &[FileId], sources: &Sources) -> Result<String, Diagnostic>;

    /// Whether it understands concurrent assertions; otherwise we do.
    fn reads_properties(&self) -> bool;
}

/// How a netlist is called that is in no file.
pub const NETLIST_OF_YOSYS: &str = "the netlist of Yosys";

/// What another program makes of texts, with all their properties. `find` is asked for files
/// that the netlist names as its origin.
pub fn translate(
    project: &Project,
    translator: &dyn Translator,
    sources: &mut Sources,
    find: &mut Finder,
) -> Result<YosysFrontEnd, Diagnostic> {
    if translator.reads_properties() {
        let text = translator.netlist(&project.files, sources)?;
        let file = sources.add(NETLIST_OF_YOSYS, text);
        return YosysFrontEnd::new(file, None, sources, find);
    }
    let tree: SourceTree = project.parse_around(sources)?;
    let texts = without_properties(&tree, sources)?;
    let text = translator.netlist(&project.files, &texts)?;
    let file = sources.add(NETLIST_OF_YOSYS, text);
    let netlist = YosysFrontEnd::new(file, None, sources, find)?;
    netlist.attached(|netlist| attach(netlist, &tree))
}
