// A multiplier that adds one partial product in each stage, against the product of the operands
// that travel with it.
module multiplier #(
    parameter WIDTH = 4
) (
    input wire clk,
    input wire [WIDTH-1:0] a,
    input wire [WIDTH-1:0] b,
    output wire [2*WIDTH-1:0] product
);
    reg [(WIDTH+1)*WIDTH-1:0] left = 0;
    reg [(WIDTH+1)*WIDTH-1:0] right = 0;
    reg [(WIDTH+1)*2*WIDTH-1:0] sum = 0;

    always @(posedge clk) begin
        left <= {left[WIDTH*WIDTH-1:0], a};
        right <= {right[WIDTH*WIDTH-1:0], b};
    end

    genvar i;
    generate
        for (i = 1; i <= WIDTH; i = i + 1) begin : stage
            wire [WIDTH-1:0] factor = left[(i-1)*WIDTH +: WIDTH];
            wire [WIDTH-1:0] selector = right[(i-1)*WIDTH +: WIDTH];
            wire [2*WIDTH-1:0] shifted = {{WIDTH{1'b0}}, factor} << (i - 1);
            wire [2*WIDTH-1:0] partial = selector[i-1] ? shifted : {2*WIDTH{1'b0}};
            always @(posedge clk) begin
                sum[i*2*WIDTH +: 2*WIDTH] <= sum[(i-1)*2*WIDTH +: 2*WIDTH] + partial;
            end
        end
    endgenerate
    assign product = sum[WIDTH*2*WIDTH +: 2*WIDTH];

    wire [WIDTH-1:0] factor = left[WIDTH*WIDTH +: WIDTH];
    wire [WIDTH-1:0] other = right[WIDTH*WIDTH +: WIDTH];
    wire [2*WIDTH-1:0] expected = {{WIDTH{1'b0}}, factor} * {{WIDTH{1'b0}}, other};
    always @(*) begin
        right_product: assert (product == expected);
    end
endmodule
