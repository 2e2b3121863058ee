//! Whole transcripts of all commands.

use super::run;
use crate::golden::{folder, transcripts};

transcripts! {
    folder("cli") => run,
    bad_value
    check_declarations
    check_hoa_alternating
    check_import_wrong
    check_imports
    check_mistakes
    check_not_gr1
    check_slugs_mistakes
    check_strict_not_gr1
    check_syntax
    code_explained
    code_unknown
    convert_hoa
    convert_properties
    convert_slugs
    convert_spectra
    convert_structured
    directory
    expectation_impossible
    explain_forklift
    explain_json
    explain_ltl
    explain_philosophers
    extension_unknown
    file_missing
    file_missing_json
    files_missing
    format_unsuitable
    instrument_game
    instrument_liveness
    instrument_no_component
    not_utf8
    not_utf8_json
    option_unknown_json
    output_is_input
    play_philosophers
    simulate_edited
    simulate_script
    stdin_format_unknown
    stdin_twice
    synth_json
    synth_not_supported
    synth_realizable
    synth_spectra
    synth_to_verilog
    synth_unrealizable
    verbose
}
