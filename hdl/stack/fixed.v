// Last in, first out: four words of two bits. `pointer` is the number of words.
module stack (
    input  wire       clk,
    input  wire       rst,
    input  wire       push,
    input  wire       pop,
    input  wire [1:0] din,
    output wire [1:0] top,
    output wire       full,
    output wire       empty
);
    reg [2:0] pointer;
    reg [1:0] memory [0:3];

    assign full  = pointer[2];
    assign empty = pointer == 3'd0;
    assign top   = memory[pointer[1:0] - 2'd1];

    always @(posedge clk) begin
        if (rst)
            pointer <= 3'd0;
        else if (push && !full) begin
            memory[pointer[1:0]] <= din;
            pointer <= pointer + 3'd1;
        end else if (pop && !empty)
            pointer <= pointer - 3'd1;
    end
endmodule
