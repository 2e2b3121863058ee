//! Designs that Yosys has read: netlists as JSON, from a file or from an installed Yosys.

use super::context::{Context, Failure};
use super::design::{LoadedDesign, one};
use super::request::DesignInput;
use super::values::InputPath;
use crate::design::verilog;
use crate::design::yosys_json;
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Sources, Span};
use crate::spec::Spec;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A netlist of Yosys. The places that it names are looked for in the sources.
pub fn load_yosys(
    text: &str,
    file: FileId,
    top: Option<&str>,
    sources: &mut Sources,
) -> Result<LoadedDesign, Vec<Diagnostic>> {
    let home = Path::new(&sources.file(file).name)
        .parent()
        .map(Path::to_path_buf);
    let mut known: HashMap<String, Option<FileId>> = HashMap::new();
    let netlist = yosys_json::read(text, file, top, &mut |place| {
        let (name, range) = place.rsplit_once(':')?;
        let source = *known.entry(name.to_string()).or_insert_with(|| {
            let beside = home.as_ref().map(|home| home.join(name));
            let paths = [Some(PathBuf::from(name)), beside];
            let found = paths.into_iter().flatten().find(|path| path.is_file())?;
            let text = std::fs::read_to_string(&found).ok()?;
            Some(sources.add(name, text))
        });
        span_of_source(sources, source?, range)
    })
    .map_err(one)?;
    let mut warnings = netlist.warnings.clone();
    let mut spec = Spec::new();
    warnings.extend(spec.add_items(&netlist.properties)?);
    let unset: Vec<&str> = netlist
        .uninitialised
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    if !unset.is_empty() {
        let message = format!("registers start with any value: {}", unset.join(", "));
        let mut warning = Diagnostic::warning(verilog::codes::NO_RESET, message);
        if let Some(span) = netlist.uninitialised.iter().find_map(|(_, span)| *span) {
            warning = warning.at(span, "no initial value");
        }
        warnings.push(warning.help("give them one, or assume the reset in the first step"));
    }
    Ok(LoadedDesign {
        design: netlist.file.design.clone(),
        file: netlist.file.clone(),
        verilog: None,
        yosys: Some(netlist),
        latches: Vec::new(),
        property_files: Vec::new(),
        spec,
        aiger_names: Vec::new(),
        warnings,
        notes: Vec::new(),
    })
}

/// Where our own front end gives up on the language, another one may not.
pub fn suggest_yosys(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let add = |diagnostic: Diagnostic| match diagnostic.code {
        verilog::codes::UNSUPPORTED => {
            diagnostic.note("`--frontend yosys` lets an installed Yosys read the design")
        }
        _ => diagnostic,
    };
    diagnostics.into_iter().map(add).collect()
}

/// Lets Yosys read the design and write it as JSON.
pub fn netlist_of_yosys(input: &DesignInput, context: &mut Context) -> Result<String, Failure> {
    if input.reset.is_some() {
        let message = "`--reset` is for our own front end";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("assume the reset in the first step: `initial assume (rst);`")
            .into());
    }
    // Names go through a script, where blanks and quotes have meanings.
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut script = String::from("read_verilog -sv -formal");
    if !input.formal {
        script = String::from("read_verilog -sv");
    }
    for define in &input.defines {
        let value = define.value.as_deref().unwrap_or("1");
        script.push_str(&format!(
            " {}",
            quoted(&format!("-D{}={value}", define.name))
        ));
    }
    for directory in &input.include_directories {
        script.push_str(&format!(
            " {}",
            quoted(&format!("-I{}", directory.display()))
        ));
    }
    for file in &input.designs {
        match &file.path {
            InputPath::File(path) => {
                script.push_str(&format!(" {}", quoted(&path.display().to_string())));
            }
            InputPath::Stdin => {
                let message = "Yosys cannot read standard input from here";
                return Err(Diagnostic::error(frame::BAD_USAGE, message).into());
            }
        }
    }
    let top = match &input.top {
        Some(top) => format!("-top {}", quoted(top)),
        None => "-auto-top".to_string(),
    };
    script.push_str(&format!(
        "\nhierarchy -check {top}\nprep -flatten\nmemory_map\n\
         techmap t:$div t:$mod t:$pow\nopt_clean\nwrite_json\n"
    ));
    context
        .progress
        .log(|| format!("yosys -q -s -: {}", script.replace('\n', "; ")));
    let output = std::process::Command::new("yosys")
        .args(["-q", "-p", &script.replace('\n', "; ")])
        .stdin(std::process::Stdio::null())
        .output();
    let output = output.map_err(|error| {
        let message = format!("Yosys cannot be started: {error}");
        Diagnostic::error(verilog::codes::YOSYS_RUN, message).help("install Yosys")
    })?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().rev().find(|line| !line.trim().is_empty());
        let message = format!("Yosys says: {}", line.unwrap_or("nothing").trim());
        return Err(Diagnostic::error(verilog::codes::YOSYS_RUN, message)
            .help("correct what it complains about")
            .into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
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
pub fn source_attribute(span: Span, sources: &Sources) -> Option<String> {
    let file = sources.file(span.file);
    let start = file.position(span.start as usize)?;
    let end = file.position(span.end as usize)?;
    Some(format!(
        "{}:{}.{}-{}.{}",
        file.name, start.line, start.column, end.line, end.column
    ))
}
