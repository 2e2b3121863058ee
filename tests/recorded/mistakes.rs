//! Bad traces are refused with what is wrong, and where.

use crate::{Folder, TOTAL, check};

fn refused(file: &str, text: &str, parts: &[&str]) {
    let folder = Folder::new(&[("total.v", TOTAL), (file, text)]);
    let line = format!("verify total.v --trace {file}");
    check(&folder, &line, 2, parts);
}

#[test]
fn tables_are_refused_at_the_cell() {
    refused(
        "a.csv",
        "rst,en,step,smu\n",
        &["R0901", "a.csv:1:13", "`sum`"],
    );
    refused("a.csv", "rst,sum\n1\n", &["R0900", "a.csv:2:1", "1 values"]);
    refused("a.csv", "rst,sum\n1,\n0,2\n", &["R0900", "a.csv:2"]);
    refused(
        "a.csv",
        "rst,sum\n1,x\n0,256\n",
        &["a.csv:3:3", "does not fit in 8 bits"],
    );
    refused("a.csv", "rst,sum\n1,q\n", &["a.csv:2:3", "`q` is no value"]);
    refused("a.csv", "rst,rst,sum\n", &["two columns"]);
    refused("a.csv", "", &["R0904"]);
    refused("a.csv", "rst,sum\n", &["R0904", "no cycle"]);
    refused("a.csv", "rst,en\n1,0\n", &["R0904", "sum, big"]);
}

#[test]
fn dumps_are_refused_at_the_word() {
    refused(
        "a.vcd",
        "$scope module total\n",
        &["R0900", "the file ends before"],
    );
    refused(
        "a.vcd",
        "$var wire x ! a $end\n",
        &["a.vcd:1:11", "`x` is no size"],
    );
    refused(
        "a.vcd",
        "$upscope $end\n",
        &["a.vcd:1:1", "no scope is open"],
    );
    refused("a.vcd", "$enddefinitions $end\n", &["R0902"]);
    let ports = "$scope module total $end $var wire 1 ! clk $end $var wire 1 \" rst $end \
        $var wire 1 # en $end $var wire 4 % step $end $var wire 8 & sum $end \
        $var wire 1 ' big $end $upscope $end $enddefinitions $end\n";
    refused(
        "a.vcd",
        &format!("{ports}#5\n#4\n"),
        &["a.vcd:3:1", "time goes backward"],
    );
    refused(
        "a.vcd",
        &format!("{ports}#0\nb12 &\n"),
        &["a.vcd:3:1", "no value of 8 bits"],
    );
    refused(
        "a.fst",
        "not a waveform",
        &["R0900", "cannot be read as FST"],
    );
}

#[test]
fn a_broken_binary_waveform_is_no_crash() {
    // A header block that promises more than the file has.
    let mut bytes = vec![0u8; 400];
    bytes[7] = 255;
    for start in [0u8, 1, 4, 254] {
        bytes[0] = start;
        let folder = Folder::new(&[("total.v", TOTAL)]);
        std::fs::write(folder.path("a.fst"), &bytes).unwrap();
        check(
            &folder,
            "verify total.v --trace a.fst",
            2,
            &["cannot be read as FST"],
        );
    }
}

#[test]
fn options_without_a_run_are_refused() {
    let folder = Folder::new(&[("total.v", TOTAL), ("a.txt", "")]);
    check(&folder, "verify total.v --clock clk", 2, &["--trace FILE"]);
    check(
        &folder,
        "verify total.v --trace a.txt",
        2,
        &[".csv, .vcd or .fst"],
    );
    check(&folder, "verify total.v --trace b.csv", 2, &["R0002"]);
}
