// A flag in three copies. Each cycle at most one copy is upset; the vote repairs it.
module voter (
    input  wire [2:0] copy,
    output wire       vote
);
    assign vote = (copy[0] & copy[1]) | (copy[1] & copy[2]) | (copy[0] & copy[2]);
endmodule

module triple_register (
    input  wire       clk,
    input  wire       rst,
    input  wire       write,
    input  wire       data,
    input  wire [2:0] upset,
    output wire       value
);
    reg [2:0] copy;

    voter vote (.copy(copy), .vote(value));

    genvar i;
    generate
        for (i = 0; i < 3; i = i + 1) begin : copies
            always @(posedge clk)
                if (rst)
                    copy[i] <= 1'b0;
                else
                    copy[i] <= (write ? data : value) ^ upset[i];
        end
    endgenerate
endmodule
