//! Netlists of Yosys as designs that can be checked and repaired.

use super::read::read_within;
use super::{YosysNetlist, write};
use crate::design::correction::{Correction, Patch};
use crate::design::front_end::{FrontEnd, Reading};
use crate::design::holes::Netlist;
use crate::design::verilog::codes;
use crate::source::{Diagnostic, FileId, Sources, Span};
use std::collections::HashMap;

pub struct YosysFrontEnd {
    yosys: YosysNetlist,
    source: FileId,
    /// Also the files that the netlist names as its origin, as far as they were found.
    sources: Sources,
    netlist: Netlist,
    reading: Reading,
}

impl YosysFrontEnd {
    /// A file of `sources` as a netlist. `find` is asked for files that it names as its origin.
    pub fn new(
        source: FileId,
        top: Option<&str>,
        sources: &mut Sources,
        find: &mut Finder,
    ) -> Result<YosysFrontEnd, Diagnostic> {
        let yosys = read_with(source, top, sources, find)?;
        Ok(YosysFrontEnd {
            netlist: yosys.netlist(),
            reading: yosys.reading(),
            yosys,
            source,
            sources: sources.clone(),
        })
    }

    /// The same with properties that were read elsewhere.
    pub fn attached(
        mut self,
        attach: impl FnOnce(&mut YosysNetlist) -> Result<(), Diagnostic>,
    ) -> Result<YosysFrontEnd, Diagnostic> {
        attach(&mut self.yosys)?;
        Ok(YosysFrontEnd {
            netlist: self.yosys.netlist(),
            reading: self.yosys.reading(),
            ..self
        })
    }

    pub fn yosys(&self) -> &YosysNetlist {
        &self.yosys
    }
}

impl FrontEnd for YosysFrontEnd {
    fn reading(&self) -> &Reading {
        &self.reading
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn files(&self) -> &[FileId] {
        std::slice::from_ref(&self.source)
    }

    fn render(&self, correction: &Correction) -> Result<Option<Patch>, Diagnostic> {
        let Correction::Functions(candidate) = correction else {
            return Ok(None);
        };
        let design = self.netlist.corrected(candidate)?;
        let attribute = |span: Span| source_attribute(span, &self.sources);
        let text = write(
            &design,
            &self.yosys.properties,
            &self.yosys.interface,
            &attribute,
        )?;
        let patch = self
            .netlist
            .patch(candidate, self.source, text.into_bytes())?;
        Ok(Some(patch))
    }

    fn reread(&self, patch: &Patch) -> Result<Reading, Vec<Diagnostic>> {
        let text = patch.text(self.source).unwrap_or_default();
        let mut sources = self.sources.clone();
        let file = sources.add("the edited netlist", text);
        let top = Some(self.yosys.interface.module.as_str());
        let yosys = read_with(file, top, &mut sources, &mut |_, _| None);
        Ok(yosys.map_err(|error| vec![error])?.reading())
    }
}

impl YosysNetlist {
    pub fn reading(&self) -> Reading {
        let mut warnings = self.warnings.clone();
        let unset: Vec<&str> = self
            .uninitialised
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        if !unset.is_empty() {
            let message = format!("registers start with any value: {}", unset.join(", "));
            let mut warning = Diagnostic::warning(codes::NO_RESET, message);
            if let Some(span) = self.uninitialised.iter().find_map(|(_, span)| *span) {
                warning = warning.at(span, "no initial value");
            }
            warnings.push(warning.help("give them one, or assume the reset in the first step"));
        }
        Reading {
            design: self.design.clone(),
            properties: self.properties.clone(),
            warnings,
            top: Some(self.interface.module.clone()),
            clock: self.interface.clock.clone(),
            ..Reading::default()
        }
    }
}

/// Finds a file that a netlist names and that is not among the sources yet.
pub type Finder<'a> = dyn FnMut(&mut Sources, &str) -> Option<FileId> + 'a;

/// Reads a netlist; what `find` finds is added to the sources.
fn read_with(
    source: FileId,
    top: Option<&str>,
    sources: &mut Sources,
    find: &mut Finder,
) -> Result<YosysNetlist, Diagnostic> {
    let shared = sources.clone();
    let text = &shared.file(source).text;
    let mut known: HashMap<String, Option<FileId>> = HashMap::new();
    read_within(text, source, top, shared.limits(), &mut |attribute| {
        let (name, range) = attribute.rsplit_once(':')?;
        let file = *known
            .entry(name.to_string())
            .or_insert_with(|| sources.find(name).or_else(|| find(sources, name)));
        span_of_source(sources, file?, range)
    })
}

/// `3.5-4.20`, or `3`, as a place in a text; columns count bytes.
fn span_of_source(sources: &Sources, file: FileId, range: &str) -> Option<Span> {
    let (start, end) = match range.split_once('-') {
        Some((start, end)) => (start, end),
        None => (range, range),
    };
    let text = &sources.file(file).text;
    let offset = |place: &str, default: Option<usize>| -> Option<usize> {
        let (line, column) = match place.split_once('.') {
            Some((line, column)) => (line.parse::<usize>().ok()?, column.parse().ok()),
            None => (place.parse().ok()?, None),
        };
        let before: usize = text
            .split_inclusive('\n')
            .take(line.checked_sub(1)?)
            .map(str::len)
            .sum();
        let length = text[before..].lines().next().map_or(0, str::len);
        let column: usize = column.or(default).unwrap_or(length + 1);
        Some((before + column.saturating_sub(1)).min(text.len()))
    };
    let (start, end) = (offset(start, Some(1))?, offset(end, None)?);
    let is_inside = text.is_char_boundary(start) && text.is_char_boundary(end) && start <= end;
    is_inside.then(|| Span::new(file, start, end))
}

/// A place as Yosys writes it.
fn source_attribute(span: Span, sources: &Sources) -> Option<String> {
    let file = sources.file(span.file);
    let start = file.position(span.start as usize)?;
    let end = file.position(span.end as usize)?;
    Some(format!(
        "{}:{}.{}-{}.{}",
        file.name, start.line, start.column, end.line, end.column
    ))
}
