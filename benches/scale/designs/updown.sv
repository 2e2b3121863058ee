// A counter goes up and down between two ends. Proofs need that it never goes up at the top.
module updown #(
    parameter WIDTH = 8,
    parameter LOW = 3,
    parameter HIGH = 40
) (
    input wire clk,
    input wire enable,
    input wire turn,
    output wire [WIDTH-1:0] position
);
    reg [WIDTH-1:0] count = LOW;
    reg up = 1'b1;
    assign position = count;

    always @(posedge clk) begin
        if (enable) begin
            if (up) begin
                count <= count + 1'b1;
                if (count == HIGH - 1 || (turn && count != LOW)) up <= 1'b0;
            end else begin
                count <= count - 1'b1;
                if (count == LOW + 1) up <= 1'b1;
            end
        end
    end

    always @(*) begin
        in_range: assert (count >= LOW && count <= HIGH);
    end
endmodule
