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
endmodule
