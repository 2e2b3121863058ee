//! Which correction comes first: one that leaves the design alive, as its author would write
//! it.

use respin::design::verilog::ResetPlay;
use respin::repair::{Options, RankedCorrection, RepairAnswer, repair};
use respin::{DesignOptions, design_from_texts};

fn answer(design: &str, reset: &str) -> RepairAnswer {
    let (signal, value) = reset.split_once('=').unwrap_or((reset, "1"));
    let options = DesignOptions {
        reset: Some(ResetPlay {
            again: false,
            signal: signal.to_string(),
            value: value == "1",
            cycles: 1,
        }),
        ..DesignOptions::default()
    };
    let subject = design_from_texts(&[("design.sv", design)], &[], &options);
    let subject = subject.unwrap_or_else(|error| panic!("{error}"));
    repair(&subject, &Options::default(), &mut |_| {}).expect("no limits")
}

fn lines(correction: &RankedCorrection) -> String {
    let changes = correction.patch.changes.iter();
    let after: Vec<String> = changes.map(|change| change.after.join(" ")).collect();
    after.join(" ")
}

/// The first correction has this text and disables nothing.
fn check(design: &str, reset: &str, expected: &str) {
    let answer = answer(design, reset);
    let all: Vec<String> = answer.repairs().map(lines).collect();
    let best = answer.repairs().next().expect("a repair");
    assert!(
        all[0].contains(expected),
        "{expected} is not first: {all:#?}"
    );
    assert!(!best.is_disabling(), "{:?}", best.effect);
}

/// A counter of what waits goes below zero: a queue that never gives anything away would keep
/// the properties, too.
#[test]
fn a_queue_still_gives_away_what_it_holds() {
    let design = "
module queue(input logic clk, rst_n, put, get, output logic none, many);
  logic [3:0] head, tail, held;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin head <= '0; tail <= '0; end
    else begin
      if (put && !many) tail <= tail + 1'b1;
      if (get) head <= head + 1'b1;
    end
  assign none = head == tail;
  assign held = tail - head;
  assign many = held == 8;
  fits:   assert property (@(posedge clk) disable iff (!rst_n) held <= 8);
  grows:  assert property (@(posedge clk) disable iff (!rst_n)
    put && !many && !get |=> held == $past(held) + 1);
endmodule
";
    check(design, "rst_n=0", "if (get && !none) head <= head + 1'b1;");
}

/// A buffer of one word that is emptied without being taken: one that stays full for ever
/// keeps its word as well.
#[test]
fn a_buffer_still_empties() {
    let design = "
module buffer(input logic clk, rst, offer, take, input logic [1:0] word,
              output logic free, some, output logic [1:0] shown);
  logic held; logic [1:0] kept;
  assign free = !held;
  assign some = offer || held;
  assign shown = held ? kept : word;
  always_ff @(posedge clk) begin
    if (rst) held <= 1'b0;
    else if (offer && free && !take) begin held <= 1'b1; kept <= word; end
    else if (some) held <= 1'b0;
  end
  polite: assume property (@(posedge clk) disable iff (rst)
    offer && !free |=> offer && $stable(word));
  stays: assert property (@(posedge clk) disable iff (rst) some && !take |=> some);
  same:  assert property (@(posedge clk) disable iff (rst) some && !take |=> $stable(shown));
  empties: cover property (@(posedge clk) disable iff (rst) held ##1 !held);
endmodule
";
    check(design, "rst", "else if (take) held <= 1'b0;");
}

/// Two lights of which one turns green too often: red for ever is safe, and no repair.
#[test]
fn lights_still_change() {
    let design = "
typedef enum logic [1:0] {STOP, GO, CARE} light;
module crossing(input logic clk, rst, waits, output light main, side);
  logic swap; logic [1:0] since;
  always_ff @(posedge clk) begin
    if (rst) begin main <= STOP; side <= STOP; swap <= 0; since <= 0; end
    else begin
      unique case (1'b1)
        (main == GO): if (waits) main <= CARE;
        (main == CARE): begin main <= STOP; swap <= 1; end
        (side == GO): begin since <= since + 1; if (since == 3) side <= CARE; end
        (side == CARE): begin side <= STOP; swap <= 0; end
        default: begin main <= GO; if (swap) side <= GO; end
      endcase
    end
  end
  safe: assert property (@(posedge clk) disable iff (rst) main == STOP || side == STOP);
  slow: assert property (@(posedge clk) disable iff (rst) main == GO |=> main != STOP);
  fair: assert property (@(posedge clk) disable iff (rst)
    waits && main == GO |-> s_eventually side == GO);
endmodule
";
    check(design, "rst", "if (swap) side <= GO; else main <= GO;");
}

/// Where every correction puts something to sleep, the best of them is offered, with words.
#[test]
fn what_disables_the_design_is_said() {
    let design = "
module stuck(input logic clk, rst, a, b, output logic q);
  always_ff @(posedge clk) if (rst) q <= 1'b0; else q <= a;
  never: assert property (@(posedge clk) disable iff (rst) !(q && b));
endmodule
";
    let answer = answer(design, "rst");
    let best = answer.repairs().next().expect("a repair");
    let effect = best.effect.as_ref().expect("measured");
    assert_eq!(effect.disabled, ["`q` never changes"]);
}

/// A register that loses its only assignment, and keeps its first value, is disabled, although
/// no output depends on it.
#[test]
fn a_register_keeps_its_assignment() {
    let design = "
module copies(input logic clk, rst, d, output logic q);
  logic note = 1'b0;
  initial q = 1'b0;
  always_ff @(posedge clk) begin
    q <= q;
    note <= d;
  end
  copied: assert property (@(posedge clk) 1'b1 |=> q == $past(d));
endmodule
";
    let answer = answer(design, "rst");
    let changed = |one: &RankedCorrection| one.patch.changes[0].before.join(" ");
    let all: Vec<String> = answer.repairs().map(changed).collect();
    assert!(!all.is_empty());
    assert!(!all.iter().any(|one| one.contains("note")), "{all:?}");
}

/// What is given moves only because of the fault: to give nothing would keep the property, too.
#[test]
fn an_output_that_only_the_fault_moves_still_moves() {
    let design = "
module store(input logic clk, rst_n, ask, input logic [1:0] word, output logic [1:0] given);
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) given <= 2'd0;
    else if (!ask) given <= word;
    else given <= 2'd0;
  quiet: assert property (@(posedge clk) disable iff (!rst_n) !ask |=> given == 2'd0);
endmodule
";
    check(design, "rst_n=0", "if (ask)");
}

/// A reset that is tested against its edge makes the block move at two edges: with one clock the
/// assertions have other conditions, and no run of the faulty design tells anything.
#[test]
fn a_reset_is_tested_as_its_edge_says() {
    let design = "
module steps(input logic clk, rst, go, output logic [2:0] at);
  always_ff @(posedge clk or posedge rst)
    if (!rst) at <= 3'd0;
    else if (go) at <= at + 3'd1;
  zero: assert property (@(posedge clk) rst |-> at == 3'd0);
  next: assert property (@(posedge clk) disable iff (rst) go |=> at == $past(at) + 3'd1);
endmodule
";
    check(design, "rst", "if (rst) at <= 3'd0;");
}

/// A code that another operation has would keep the assertion from being reached.
#[test]
fn no_two_operations_get_one_code() {
    let design = "
module unit(input logic clk, rst, input logic [1:0] code, input logic [3:0] a, b,
            output logic [3:0] r);
  parameter ADD = 2'd0;
  parameter INC = 2'd1;
  parameter SUB = 2'd2;
  parameter AND = 2'd3;
  always_comb
    case (code)
      ADD: r = a + b;
      INC: r = a + 4'd1;
      SUB: begin r = a + b; difference: assert (r == a - b); end
      AND: r = a & b;
    endcase
endmodule
";
    check(design, "rst", "r = a - b;");
}

#[test]
fn the_other_edge_is_found_by_its_negation() {
    let design = "
module edges(input logic clk, rst, now, output logic up, down);
  logic was;
  always_ff @(posedge clk)
    if (rst) begin up <= 1'b0; down <= 1'b0; was <= 1'b0; end
    else begin
      was <= now;
      up <= now & ~was;
      down <= now & ~was;
    end
  falls: assert property (@(posedge clk) disable iff (rst) !now && was |=> down);
endmodule
";
    check(design, "rst", "down <= ~now & was;");
}

/// `granted <= first && (first || second)` would do the same with more words.
#[test]
fn of_texts_that_do_the_same_the_plainest_is_shown() {
    let design = "
module grant(input logic clk, rst, first, second, output logic granted);
  always_ff @(posedge clk)
    if (rst) granted <= 1'b0;
    else granted <= first || (first || second);
  fair: assert property (@(posedge clk) disable iff (rst) !rst |=> granted == $past(first));
endmodule
";
    check(design, "rst", "granted <= first;");
}

/// `if (1'b1)` would do the same.
#[test]
fn a_guard_that_is_too_much_goes_as_a_whole() {
    let design = "
module counter(input logic clk, rst, up, output logic [2:0] count);
  always_ff @(posedge clk)
    if (rst) count <= 3'd0;
    else begin
      if (up) count <= count + 3'd1;
    end
  counts: assert property (@(posedge clk) disable iff (rst) !rst |=> count == $past(count) + 3'd1);
endmodule
";
    let answer = answer(design, "rst");
    let best = answer.repairs().next().expect("a repair");
    assert_eq!(lines(best), "count <= count + 3'd1;");
}

/// In the step of reset both lights are on, where no property minds: that this does not happen any
/// more disables nothing.
#[test]
fn what_happens_in_a_step_of_reset_is_not_missed() {
    let design = "
module lights(input logic clk, rst, go, output logic green, red);
  logic open;
  always_ff @(posedge clk)
    if (rst) open <= 1'b0;
    else open <= go;
  assign green = open || (go && !open);
  assign red = !open;
  safe: assert property (@(posedge clk) disable iff (rst) !(green && red));
endmodule
";
    check(design, "rst", "green = open;");
}
