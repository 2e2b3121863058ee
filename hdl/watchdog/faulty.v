// Bites when it has not been kicked for six cycles, and stays so until reset.
module watchdog #(
    parameter [2:0] LIMIT = 3'd6
) (
    input  wire clk,
    input  wire rst,
    input  wire kick,
    output reg  bite
);
    reg [2:0] age;

    wire late = age == LIMIT - 3'd1;

    always @(posedge clk) begin
        if (rst) begin
            age  <= 3'd0;
            bite <= 1'b0;
        end else if (bite) begin
            age <= 3'd0;
        end else if (kick && !late) begin
            age <= 3'd0;
        end else if (late) begin
            bite <= 1'b1;
        end else begin
            age <= age + 3'd1;
        end
    end
endmodule
