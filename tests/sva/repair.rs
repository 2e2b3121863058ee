//! Designs with their properties in the source are repaired with nothing else.

use super::{folder, respin};
use std::path::Path;

/// The value of a key in the `expected` file of a design.
fn expected_lines(folder: &Path) -> Vec<usize> {
    let text = std::fs::read_to_string(folder.join("expected")).expect("what is expected");
    let lines = text.lines().filter_map(|line| {
        let value = line.strip_prefix("line:").or(line.strip_prefix("other:"))?;
        value.split_whitespace().next()?.parse().ok()
    });
    lines.collect()
}

#[test]
fn designs_with_assertions_are_repaired_with_nothing_else() {
    let mut count = 0;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl");
    let mut designs: Vec<_> = std::fs::read_dir(&root)
        .expect("examples")
        .flatten()
        .collect();
    designs.sort_by_key(|entry| entry.file_name());
    for entry in designs {
        let home = entry.path();
        let Ok(original) = std::fs::read_to_string(home.join("asserted.sv")) else {
            continue;
        };
        let name = entry.file_name().to_string_lossy().into_owned();
        let folder = folder(&format!("asserted-{name}"));
        std::fs::write(folder.join("asserted.sv"), &original).expect("a copy");
        let (output, problems, code) = respin(
            &[
                "repair",
                "-q",
                "asserted.sv",
                "-o",
                "repaired.sv",
                "--force",
            ],
            &folder,
        );
        assert!(
            output.starts_with("REPAIRED"),
            "{name}: {output}\n{problems}"
        );
        assert_eq!(code, 0, "{name}");
        let repaired = std::fs::read_to_string(folder.join("repaired.sv")).expect("a repair");
        // Nothing but the place of the fault has changed.
        let before: Vec<&str> = original.split_inclusive('\n').collect();
        let after: Vec<&str> = repaired.split_inclusive('\n').collect();
        let first = before
            .iter()
            .zip(&after)
            .take_while(|(old, new)| old == new)
            .count();
        let last = before
            .iter()
            .rev()
            .zip(after.iter().rev())
            .take_while(|(old, new)| old == new)
            .count();
        assert!(
            before.len() - last <= first + 1,
            "{name}: more than a line has changed"
        );
        let lines = expected_lines(&home);
        assert!(
            lines.contains(&(first + 1)),
            "{name}: line {} and not {lines:?}",
            first + 1
        );
        let (output, problems, _) = respin(&["verify", "-q", "repaired.sv"], &folder);
        assert!(output.starts_with("PASS"), "{name}: {output}\n{problems}");
        count += 1;
    }
    assert!(count >= 15, "{count} designs");
}
