// Two accumulators that are written differently and always hold the same sum.
module accumulators #(
    parameter WIDTH = 17
) (
    input wire clk,
    input wire clear,
    input wire subtract,
    input wire [WIDTH-1:0] value,
    output wire [WIDTH-1:0] sum
);
    reg [WIDTH-1:0] left = 0;
    reg [WIDTH-1:0] right = 0;
    reg differ = 1'b0;
    assign sum = right;

    always @(posedge clk) begin
        differ <= left != right;
        if (clear) left <= 0;
        else if (subtract) left <= left - value;
        else left <= left + value;
        right <= clear ? {WIDTH{1'b0}} : right + (subtract ? ~value : value) + subtract;
    end

    always @(*) begin
        equal: assert (!differ);
    end
endmodule
