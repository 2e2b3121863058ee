// Grants in the same cycle. `last` is the master that was served last; the other one
// wins when both ask.
module fair_arbiter (
    input  wire       clk,
    input  wire       rst,
    input  wire [1:0] req,
    output reg  [1:0] gnt
);
    reg last;

    always @* begin
        case (req)
            2'b01:   gnt = 2'b01;
            2'b10:   gnt = 2'b10;
            2'b11:   gnt = last ? 2'b01 : 2'b10;
            default: gnt = 2'b00;
        endcase
    end

    always @(posedge clk)
        if (rst)
            last <= 1'b1;
        else if (req != 2'b00)
            last <= gnt[0];

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    // A master keeps asking until it is served.
    patient0: assume property (req[0] && !gnt[0] |=> req[0]);
    patient1: assume property (req[1] && !gnt[1] |=> req[1]);
    mutex:    assert property ($onehot0(gnt));
    asked:    assert property ((gnt & ~req) == 0);
    busy:     assert property (req != 0 |-> gnt != 0);
    served0:  assert property (req[0] |-> s_eventually gnt[0]);
    served1:  assert property (req[1] |-> s_eventually gnt[1]);
    turn0:    assert property (req[0] && !gnt[0] |=> gnt[0]);
    turn1:    assert property (req[1] && !gnt[1] |=> gnt[1]);
    last0:    assert property (gnt[0] ##1 (req == 0)[*0:3] ##1 req == 3 |-> gnt[1]);
    last1:    assert property (gnt[1] ##1 (req == 0)[*0:3] ##1 req == 3 |-> gnt[0]);
    first:    assert property ($past(rst) && req == 3 |-> gnt[0]);
`endif
endmodule
