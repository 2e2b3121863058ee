// Number of ones in a word, registered.
module population_count #(
    parameter WIDTH = 4
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] word,
    output reg  [2:0]       ones
);
    integer   i;
    reg [2:0] total;

    always @* begin
        total = 3'd0;
        for (i = 0; i < WIDTH; i = i + 1)
            total = total | {2'b00, word[i]};
    end

    initial ones = 3'd0;

    always @(posedge clk)
        ones <= total;

`ifdef FORMAL
    default clocking @(posedge clk); endclocking
    sum: assert property (1'b1 |=> ones == $past($countones(word)));
    initial zero: assert (ones == 0);
`endif
endmodule
