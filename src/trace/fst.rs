//! Fast signal traces, the binary waveforms of GTKWave, Verilator and Icarus Verilog.
//!
//! The only place that names the crate which reads them. It reads a whole block at once, so
//! limits are polled with each change. On some malformed files it panics in place of failing;
//! that is caught here and said of the file.

use super::changes::{Sampler, Variable};
use super::number::{self, Bits};
use super::vcd::name_and_index;
use super::{Interface, Options, Recording};
use crate::source::codes::trace as codes;
use crate::source::{Diagnostic, FileId, Sources};
use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue, ReadSignalsError};
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub fn read(
    file: FileId,
    interface: &Interface<'_>,
    options: &Options,
    sources: &Sources,
) -> Result<Recording, Diagnostic> {
    let name = &sources.file(file).name;
    let work = AssertUnwindSafe(|| read_whole(file, interface, options, sources));
    match catch_unwind(work) {
        Ok(result) => result,
        Err(_) => Err(wrong(name, "its blocks do not fit together")),
    }
}

fn read_whole(
    file: FileId,
    interface: &Interface<'_>,
    options: &Options,
    sources: &Sources,
) -> Result<Recording, Diagnostic> {
    let source = sources.file(file);
    let (name, limits) = (&source.name, sources.limits());
    let mut reader = FstReader::open(Cursor::new(source.bytes()))
        .map_err(|error| wrong(name, &error.to_string()))?;
    let mut scope: Vec<String> = Vec::new();
    let mut variables: Vec<Variable<usize>> = Vec::new();
    let mut handles = Vec::new();
    let hierarchy = reader.read_hierarchy(|entry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scope.push(name),
        FstHierarchyEntry::UpScope => {
            scope.pop();
        }
        FstHierarchyEntry::Var {
            tpe,
            name,
            length,
            handle,
            ..
        } if !tpe.is_real() => {
            let mut words = name.split_ascii_whitespace().map(str::as_bytes);
            let (first, range) = (words.next().unwrap_or_default(), words.next());
            let (name, index) = name_and_index(first, range);
            variables.push(Variable {
                scope: scope.clone(),
                name,
                index,
                width: length as usize,
                id: handle.get_index(),
            });
            handles.push(handle);
        }
        _ => {}
    });
    hierarchy.map_err(|error| wrong(name, &error.to_string()))?;
    limits.check()?;
    let mut sampler = Sampler::new(&variables, interface, options, name)?;
    let wanted = sampler.wanted();
    handles.retain(|handle| wanted.contains(&handle.get_index()));
    let mut last_time = None;
    let filter = FstFilter::filter_signals(handles);
    let read = reader.read_signals(&filter, |time, handle, value| -> Result<(), Diagnostic> {
        limits.poll()?;
        if last_time != Some(time) {
            if last_time.is_some_and(|last| time < last) {
                return Err(wrong(name, "time goes backward in it"));
            }
            sampler.end_of_moment();
            last_time = Some(time);
        }
        let id = handle.get_index();
        if let (FstSignalValue::String(digits), Some(width)) = (value, sampler.width(&id)) {
            let bits: Bits = number::dumped(digits, width)
                .map_err(|_| wrong(name, "a value in it is not of its signal's width"))?;
            sampler.change(&id, &bits);
        }
        Ok(())
    });
    read.map_err(|error| match error {
        ReadSignalsError::ReadError(error) => wrong(name, &error.to_string()),
        ReadSignalsError::CallbackError(diagnostic) => diagnostic,
    })?;
    sampler.end_of_moment();
    Ok(sampler.finish())
}

fn wrong(name: &str, why: &str) -> Diagnostic {
    let message = format!("`{name}` cannot be read as FST: {why}");
    Diagnostic::error(codes::BAD_RECORDING, message)
        .help("the file is of another format, or was cut short")
}
