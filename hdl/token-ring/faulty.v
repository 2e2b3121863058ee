// Four stations share a bus; the one with the token may send as long as it likes.
module station #(
    parameter FIRST = 0
) (
    input  wire clk,
    input  wire rst,
    input  wire busy,
    input  wire token_in,
    output wire token_out,
    output reg  token
);
    assign token_out = token && !busy;

    always @(posedge clk)
        if (rst)
            token <= FIRST;
        else if (token_in)
            token <= 1'b1;
        else if (token)
            token <= 1'b0;
endmodule

module token_ring (
    input  wire       clk,
    input  wire       rst,
    input  wire [3:0] busy,
    output wire [3:0] token
);
    wire [3:0] pass;

    genvar n;
    generate
        for (n = 0; n < 4; n = n + 1) begin : ring
            station #(.FIRST(n == 0)) node (
                .clk(clk),
                .rst(rst),
                .busy(busy[n]),
                .token_in(pass[(n + 3) % 4]),
                .token_out(pass[n]),
                .token(token[n])
            );
        end
    endgenerate
endmodule
