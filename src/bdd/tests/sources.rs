//! What must not stand in the sources of the kernel.

use std::path::Path;

#[test]
fn the_kernel_is_safe_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bdd/kernel");
    let files = std::fs::read_dir(folder).expect("the kernel's sources");
    let paths = files.map(|file| file.expect("a file").path());
    let with_unsafe: Vec<_> = paths
        .filter(|path| {
            let text = std::fs::read_to_string(path).expect("a source");
            text.contains("unsafe")
        })
        .collect();
    assert_eq!(with_unsafe, Vec::<std::path::PathBuf>::new());
}
