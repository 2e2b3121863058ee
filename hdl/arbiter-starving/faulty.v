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
endmodule
