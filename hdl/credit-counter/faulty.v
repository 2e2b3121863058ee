// Sender side of a link with three credits.
module credits (
    input  wire       clk,
    input  wire       rst,
    input  wire       want,
    input  wire       refund,
    output wire       send,
    output reg  [1:0] credit
);
    wire spend = want && credit != 2'd0;

    assign send = spend;

    always @(posedge clk) begin
        if (rst)
            credit <= 2'd3;
        else if (refund && !spend)
            credit <= credit + 2'd1;
        else if (spend)
            credit <= credit - 2'd1;
    end
endmodule
