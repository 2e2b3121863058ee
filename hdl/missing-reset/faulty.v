// Counts pulses; `overflow` is set when the counter wraps, and sticks.
module pulse_counter (
    input  wire       clk,
    input  wire       rst,
    input  wire       pulse,
    output reg  [2:0] count,
    output reg        overflow
);
    always @(posedge clk) begin
        if (rst) begin
            count <= 3'd0;
        end else if (pulse) begin
            count <= count + 3'd1;
            if (count == 3'd7)
                overflow <= 1'b1;
        end
    end
endmodule
