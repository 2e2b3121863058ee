// Scans a keypad of three columns and two rows. A column is driven for two cycles: the
// rows settle in the first and are read in the second. Scanning stops while a key is held.
module keypad_scanner (
    input  wire       clk,
    input  wire       rst,
    input  wire [1:0] row,
    output reg  [2:0] column,
    output reg  [2:0] key,
    output reg        pressed
);
    reg settle;

    wire any_row = row != 2'b00;
    wire hold    = settle || any_row;

    function [2:0] encode;
        input [2:0] which;
        input       upper;
        begin
            case (which)
                3'b001:  encode = 3'd0;
                3'b010:  encode = 3'd2;
                default: encode = 3'd4;
            endcase
            if (upper)
                encode = encode + 3'd1;
        end
    endfunction

    always @(posedge clk) begin
        if (rst) begin
            column  <= 3'b001;
            settle  <= 1'b0;
            key     <= 3'd0;
            pressed <= 1'b0;
        end else if (hold) begin
            pressed <= 1'b1;
            key     <= encode(column, row[1]);
        end else begin
            pressed <= 1'b0;
            settle  <= !settle;
            if (settle)
                column <= {column[1:0], column[2]};
        end
    end
endmodule
