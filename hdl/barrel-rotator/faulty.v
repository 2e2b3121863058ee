// Rotates a word to the left by a variable amount, in two stages, registered.
module barrel_rotator #(
    parameter WIDTH = 4
) (
    input  wire             clk,
    input  wire             load,
    input  wire [WIDTH-1:0] word,
    input  wire [1:0]       amount,
    output reg  [WIDTH-1:0] rotated
);
    reg [WIDTH-1:0] half;
    reg [WIDTH-1:0] whole;

    task rotate;
        input  [WIDTH-1:0] value;
        input  [1:0]       distance;
        output [WIDTH-1:0] result;
        reg    [2*WIDTH-1:0] twice;
        begin
            twice  = {value, value};
            result = twice[WIDTH - distance +: WIDTH];
        end
    endtask

    always @* begin
        half = word;
        if (amount[0])
            rotate(word, 2'd1, half);
        whole = half;
        if (amount[1])
            rotate(half, 2'd1, whole);
    end

    initial rotated = {WIDTH{1'b0}};

    always @(posedge clk)
        if (load)
            rotated <= whole;
endmodule
