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
            if (fire)
                left <= 3'd4;
            else if (pulse)
                left <= left - 3'd1;
        end
    end
endmodule
