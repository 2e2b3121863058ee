// Finds 1101 in a serial stream. `found` is a Mealy output; matches may overlap.
module sequence_detector (
    input  logic clk,
    input  logic rst,
    input  logic in,
    output logic found
);
    typedef enum logic [1:0] {
        NONE,
        ONE,
        ONE_ONE,
        ONE_ONE_ZERO
    } state_t;

    state_t state;

    assign found = state == ONE_ONE_ZERO && in;

    always_ff @(posedge clk)
        if (rst)
            state <= NONE;
        else
            unique case (state)
                NONE:         state <= in ? ONE : NONE;
                ONE:          state <= in ? ONE_ONE : NONE;
                ONE_ONE:      state <= in ? ONE_ONE : ONE_ONE_ZERO;
                ONE_ONE_ZERO: state <= in ? NONE : NONE;
            endcase

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    sequence pattern;
        in ##1 in ##1 !in ##1 in;
    endsequence

    finds: assert property (pattern |-> found);
    // Nothing else is found: every one of these histories ends without it.
    third: assert property (in ##1 in |-> !found);
    other: assert property (!in ##2 in |-> !found);
    zeros: assert property (!in ##1 !in ##1 in |-> !found);
    short: assert property (!in |-> !found);
`endif
endmodule
