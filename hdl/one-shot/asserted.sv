// Stretches `fire` to a pulse of four cycles; another one during the pulse starts the
// four cycles anew.
module one_shot (
    input  wire clk,
    input  wire rst,
    input  wire fire,
    output wire pulse
);
    reg [2:0] left;

    assign pulse = left != 3'd0;

    always @(posedge clk) begin
        if (rst)
            left <= 3'd0;
        else begin
            if (fire && !pulse)
                left <= 3'd4;
            else if (pulse)
                left <= left - 3'd1;
        end
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    idle:   assert property ($past(rst) |-> !pulse);
    starts: assert property (fire |=> pulse[*4]);
    over:   assert property (!fire[*4] |=> !pulse);
`endif
endmodule
