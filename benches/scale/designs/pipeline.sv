// Words rotate and change as they pass; at the end they are compared with the words as they
// came in. Proofs need a relation between both words of every stage, where the stage is valid.
module pipeline #(
    parameter DEPTH = 8,
    parameter WIDTH = 16
) (
    input wire clk,
    input wire enable,
    input wire valid_in,
    input wire [WIDTH-1:0] data_in,
    output wire valid_out,
    output wire [WIDTH-1:0] data_out
);
    reg [DEPTH*WIDTH-1:0] mixed = 0;
    reg [DEPTH*WIDTH-1:0] plain = 0;
    reg [DEPTH-1:0] valid = 0;
    reg [2:0] accepted = 3'd0;

    always @(posedge clk) begin
        if (enable) begin
            valid <= {valid[DEPTH-2:0], valid_in};
            plain <= {plain[(DEPTH-1)*WIDTH-1:0], data_in};
            if (valid_in) begin
                mixed[WIDTH-1:0] <= data_in;
                accepted <= accepted + 3'd1;
            end
        end
    end

    genvar i;
    generate
        for (i = 1; i < DEPTH; i = i + 1) begin : stage
            wire [WIDTH-1:0] previous = mixed[(i-1)*WIDTH +: WIDTH];
            always @(posedge clk) begin
                if (enable && valid[i-1]) begin
                    mixed[i*WIDTH +: WIDTH] <= {previous[WIDTH-2:0], ~previous[WIDTH-1]};
                end
            end
        end
    endgenerate

    assign valid_out = valid[DEPTH-1];
    assign data_out = mixed[(DEPTH-1)*WIDTH +: WIDTH];

    // The same turns at once: a word and its complement side by side, shifted.
    localparam TURNS = (DEPTH - 1) % (2 * WIDTH);
    wire [WIDTH-1:0] original = plain[(DEPTH-1)*WIDTH +: WIDTH];
    wire [4*WIDTH-1:0] turned = {original, ~original, original, ~original} << TURNS;
    always @(*) begin
        same_word: assert (!valid_out || data_out == turned[4*WIDTH-1 -: WIDTH]);
    end
endmodule
