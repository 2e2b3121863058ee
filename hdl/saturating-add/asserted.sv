// Adds unsigned samples and sticks at the largest value instead of wrapping.
module saturating_accumulator (
    input  wire       clk,
    input  wire       rst,
    input  wire       clear,
    input  wire [2:0] sample,
    output reg  [3:0] total
);
    localparam [3:0] MAXIMUM = 4'd14;

    wire [4:0] sum      = {1'b0, total} + {2'b00, sample};
    wire       overflow = sum[4];

    always @(posedge clk) begin
        if (rst || clear)
            total <= 4'd0;
        else
            total <= overflow ? MAXIMUM : sum[3:0];
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    wire [4:0] exact = total + sample;

    zero:      assert property ($past(rst) |-> total == 0);
    cleared:   assert property (clear |=> total == 0);
    saturates: assert property (!clear && exact > 15 |=> total == 15);
    adds:      assert property (!clear && exact <= 15 |=> total == $past(exact[3:0]));
`endif
endmodule
