// Fibonacci LFSR with the polynomial x^4 + x^3 + 1: fifteen states, never all zero.
module lfsr (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       run,
    output reg  [3:0] state
);
    wire feedback = state[3] ^ state[1];

    always @(posedge clk or negedge rst_n)
        if (!rst_n)
            state <= 4'b0001;
        else if (run)
            state <= {state[2:0], feedback};

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (!rst_n);
    always @(posedge clk) if (!$initstate) assume (rst_n);
    default clocking @(posedge clk); endclocking
    default disable iff (!rst_n);
    runs:    assume property (s_eventually run);
    seed:    assert property ($past(!rst_n) |-> state == 1);
    never_0: assert property (state != 0);
    shift:   assert property (run |=> state[3:1] == $past(state[2:0]));
    stop:    assert property (!run |=> $stable(state));
    // Of maximal length: every state comes again and again.
    ones:    assert property (s_eventually state == 15);
    six:     assert property (s_eventually state == 6);
    fifteen: assert property (s_eventually state == 9);
    known:   assert property (run && state == 4 |=> state == 9);
    after:   assert property (run && state == 14 |=> state == 12);
`endif
endmodule
