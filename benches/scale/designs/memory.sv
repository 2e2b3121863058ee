// A memory with byte enables and a registered read port against a copy of one of its words. The
// word is chosen in the first step.
module memory #(
    parameter DEPTH = 8,
    parameter WIDTH = 8,
    parameter INDEX = 3
) (
    input wire clk,
    input wire write,
    input wire [1:0] halves,
    input wire [INDEX-1:0] write_address,
    input wire [WIDTH-1:0] write_data,
    input wire [INDEX-1:0] read_address,
    input wire [INDEX-1:0] which,
    output reg [WIDTH-1:0] read_data
);
    localparam HALF = WIDTH / 2;
    reg [HALF-1:0] lower [0:DEPTH-1];
    reg [HALF-1:0] upper [0:DEPTH-1];
    integer i;
    initial begin
        for (i = 0; i < DEPTH; i = i + 1) begin
            lower[i] = 0;
            upper[i] = 0;
        end
    end
    initial read_data = 0;

    always @(posedge clk) begin
        if (write && halves[0]) lower[write_address] <= write_data[HALF-1:0];
        if (write && halves[1]) upper[write_address] <= write_data[WIDTH-1:HALF];
        read_data <= {upper[read_address], lower[read_address]};
    end

    reg chosen = 1'b0;
    reg [INDEX-1:0] watched = 0;
    reg [WIDTH-1:0] shadow = 0;
    reg [WIDTH-1:0] expected = 0;
    reg reading = 1'b0;
    wire [INDEX-1:0] word = chosen ? watched : which;
    wire hit = write && write_address == word;
    always @(posedge clk) begin
        chosen <= 1'b1;
        watched <= word;
        if (hit && halves[0]) shadow[HALF-1:0] <= write_data[HALF-1:0];
        if (hit && halves[1]) shadow[WIDTH-1:HALF] <= write_data[WIDTH-1:HALF];
        reading <= read_address == word;
        expected <= shadow;
    end

    always @(*) begin
        same_word: assert (!reading || read_data == expected);
    end
endmodule
