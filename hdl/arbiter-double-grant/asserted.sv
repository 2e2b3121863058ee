// Fixed priority, master 0 first; grants are registered.
module priority_arbiter (
    input  wire       clk,
    input  wire       rst,
    input  wire [2:0] req,
    output reg  [2:0] gnt
);
    always @(posedge clk) begin
        if (rst)
            gnt <= 3'b000;
        else begin
            gnt[0] <= req[0];
            gnt[1] <= req[1] & ~req[0];
            gnt[2] <= req[2] & ~req[0];
        end
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    mutex:  assert property ($onehot0(gnt));
    busy:   assert property (req != 0 |=> gnt != 0);
    asked:  assert property (1'b1 |=> (gnt & ~$past(req)) == 0);
    first:  assert property (req[0] |=> gnt[0]);
    second: assert property (req[1] && !req[0] |=> gnt[1]);
`endif
endmodule
