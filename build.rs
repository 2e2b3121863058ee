//! Tells the linker where CUDD is, if the feature `cudd` asks for it. `cudd-sys` without
//! its default feature leaves that to us.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CUDD_LIB_DIR");
    if env::var_os("CARGO_FEATURE_CUDD").is_none() {
        return;
    }
    let mut kind = "dylib";
    // Without it, the linker looks where it always does.
    if let Ok(folder) = env::var("CUDD_LIB_DIR") {
        println!("cargo::rustc-link-search=native={folder}");
        if Path::new(&folder).join("libcudd.a").exists() {
            kind = "static";
        } else {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
        }
    }
    println!("cargo::rustc-link-lib={kind}=cudd");
    if kind == "static" && env::var_os("CARGO_CFG_UNIX").is_some() {
        println!("cargo::rustc-link-lib=m");
    }
}
