// Sequential multiplier of four bits, after Fig. 13 of JSGB11. `init` loads the operands
// and clears the result; each cycle then adds the shifted B to Q if the lowest bit of A is
// set. Four cycles later Q is the product.
module multiplier (
    input  wire       clk,
    input  wire       init,
    input  wire [3:0] in_a,
    input  wire [3:0] in_b,
    output reg  [7:0] q
);
    reg [3:0] a;
    reg [7:0] b;

    // What was multiplied, for the properties.
    reg [3:0] operand_a;
    reg [3:0] operand_b;

    wire       select = a[0];
    wire [7:0] addend;
    wire [7:0] sum;
    wire       carry1, carry2, carry3, carry4, carry5, carry6, carry7;
    wire       unused;

    // The multiplexer: one gate per bit.
    assign addend[0] = b[0] & select;
    assign addend[1] = b[1] & select;
    assign addend[2] = b[2] & select;
    assign addend[3] = b[3] & select;
    assign addend[4] = b[4] & select;
    assign addend[5] = b[5] & select;
    assign addend[6] = b[6] & select;
    assign addend[7] = b[7] & select;

    // The adder: one full adder per bit.
    assign {carry1, sum[0]} = {1'b0, addend[0]} + {1'b0, q[0]};
    assign {carry2, sum[1]} = {1'b0, addend[1]} + {1'b0, q[1]} + {1'b0, carry1};
    assign {carry3, sum[2]} = {1'b0, addend[2]} + {1'b0, q[2]} + {1'b0, carry2};
    assign {carry4, sum[3]} = {1'b0, addend[3]} + {1'b0, q[3]} + {1'b0, carry3};
    assign {carry5, sum[4]} = {1'b0, addend[4]} + {1'b0, q[4]} + {1'b0, carry4};
    assign {carry6, sum[5]} = {1'b0, addend[5]} + {1'b0, q[5]} + {1'b0, carry5};
    assign {carry7, sum[6]} = {1'b0, addend[6]} + {1'b0, q[6]} + {1'b0, carry6};
    assign {unused, sum[7]} = {1'b0, addend[7]} + {1'b0, q[7]} + {1'b0, carry7};

    initial begin
        a         = 4'd0;
        b         = 8'd0;
        q         = 8'd0;
        operand_a = 4'd0;
        operand_b = 4'd0;
    end

    always @(posedge clk)
        a <= init ? in_a : {1'b0, a[3:1]};

    always @(posedge clk)
        b <= init ? {4'd0, in_b} : {b[6:0], 1'b0};

    always @(posedge clk)
        q <= init ? 8'd0 : sum;

    always @(posedge clk)
        if (init) begin
            operand_a <= in_a;
            operand_b <= in_b;
        end
endmodule
