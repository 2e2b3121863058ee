//! Whole transcripts: `tests/golden/cli/NAME.txt` has a command line after `$ respin`, the
//! exit code, and both streams. `UPDATE_GOLDEN=1 cargo test --test cli` writes them anew; read
//! the difference before you keep it.

use super::{run, stderr, stdout};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/cli")
}

fn check(name: &str) {
    let path = folder().join(name).with_extension("txt");
    let expected = fs::read_to_string(&path).expect("the golden file exists");
    let first_line = expected.lines().next().unwrap_or_default();
    let line = first_line
        .strip_prefix("$ respin ")
        .expect("the golden file starts with `$ respin `");

    let output = run(line);
    let code = output.status.code().expect("an exit code");
    let actual = format!(
        "$ respin {line}\nexit code {code}\n--- stdout\n{}--- stderr\n{}",
        stdout(&output),
        stderr(&output)
    );
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &actual).expect("the golden file is written");
    } else {
        assert_eq!(actual, expected, "{name}: see {}", path.display());
    }
}

macro_rules! golden {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        #[test]
        fn every_golden_file_is_checked() {
            let checked: BTreeSet<String> = [$(stringify!($name).to_string()),*].into();
            let files = fs::read_dir(folder()).expect("the golden folder");
            let present: BTreeSet<String> = files
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.is_file())
                .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()))
                .collect();
            assert_eq!(checked, present);
        }
    };
}

golden! {
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
