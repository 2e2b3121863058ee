//! The formats of designs and specifications.

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Verilog or SystemVerilog.
    Verilog,
    /// AIGER, text or binary.
    Aiger,
    /// A netlist of Yosys' `write_json`.
    YosysJson,
    /// A property file or plain LTL.
    Properties,
    Spectra,
    Tlsf,
    Slugs,
    StructuredSlugs,
    /// An omega-automaton.
    Hoa,
}

impl Format {
    pub const ALL: [Format; 9] = [
        Format::Verilog,
        Format::Aiger,
        Format::YosysJson,
        Format::Properties,
        Format::Spectra,
        Format::Tlsf,
        Format::Slugs,
        Format::StructuredSlugs,
        Format::Hoa,
    ];

    /// The format that the extension of a file's name stands for, in upper or lower case.
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "v" | "sv" => Some(Format::Verilog),
            "aag" | "aig" => Some(Format::Aiger),
            "json" => Some(Format::YosysJson),
            "ltl" | "props" => Some(Format::Properties),
            "spectra" => Some(Format::Spectra),
            "tlsf" => Some(Format::Tlsf),
            "slugsin" => Some(Format::Slugs),
            "structuredslugs" => Some(Format::StructuredSlugs),
            "hoa" => Some(Format::Hoa),
            _ => None,
        }
    }

    /// The format as sentences name it.
    pub fn description(self) -> &'static str {
        match self {
            Format::Verilog => "Verilog",
            Format::Aiger => "AIGER",
            Format::YosysJson => "Yosys JSON",
            Format::Properties => "a property file",
            Format::Spectra => "Spectra",
            Format::Tlsf => "TLSF",
            Format::Slugs => "slugs",
            Format::StructuredSlugs => "structured slugs",
            Format::Hoa => "HOA",
        }
    }

    /// Whether files of the format are circuits, not specifications.
    pub fn is_design(self) -> bool {
        matches!(self, Format::Verilog | Format::Aiger | Format::YosysJson)
    }
}
