// Number of the highest active line.
module priority_encoder (
    input  wire       clk,
    input  wire [3:0] line,
    output reg  [1:0] index,
    output reg        valid
);
    reg [1:0] code;

    always @* begin
        casez (line)
            4'b1???: code = 2'd3;
            4'b11??: code = 2'd2;
            4'b001?: code = 2'd1;
            default: code = 2'd0;
        endcase
    end

    initial {valid, index} = 3'b000;

    always @(posedge clk) begin
        index <= code;
        valid <= |line;
    end
endmodule
