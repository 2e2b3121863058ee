// Two stages of a stream; each keeps a word until the next one takes it.
module stage #(
    parameter WIDTH = 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in_data,
    output reg              out_valid,
    input  wire             out_ready,
    output reg  [WIDTH-1:0] out_data
);
    assign in_ready = !out_valid || out_ready;

    always @(posedge clk)
        if (rst)
            out_valid <= 1'b0;
        else if (in_ready)
            out_valid <= in_valid;

    always @(posedge clk)
        if (in_valid && in_ready)
            out_data <= in_data;
endmodule

module pipeline (
    input  wire       clk,
    input  wire       rst,
    input  wire       s_valid,
    output wire       s_ready,
    input  wire [1:0] s_data,
    output wire       m_valid,
    input  wire       m_ready,
    output wire [1:0] m_data
);
    wire       valid;
    wire       ready;
    wire [1:0] data;

    stage #(2) first (
        .clk(clk), .rst(rst),
        .in_valid(s_valid), .in_ready(s_ready), .in_data(s_data),
        .out_valid(valid), .out_ready(ready), .out_data(data)
    );

    stage #(2) second (
        .clk(clk), .rst(rst),
        .in_valid(valid), .in_ready(ready), .in_data(s_data),
        .out_valid(m_valid), .out_ready(m_ready), .out_data(m_data)
    );
endmodule
