// Minimum and maximum of three numbers, after Fig. 12 of JSGB11, with the result recorded:
// `error` is 1 until the program has run, in the first cycle, and its assertion held.
module minmax_error (
    input  wire       clk,
    input  wire [1:0] input1,
    input  wire [1:0] input2,
    input  wire [1:0] input3,
    output reg        error
);
    reg       running;
    reg [1:0] least;
    reg [1:0] most;

    always @* begin
        least = input1;          // line 1
        most = input1;           // line 2
        if (most < input2)       // line 3
            most = input2;       // line 4
        if (most < input3)       // line 5
            most = input3;       // line 6
        if (least > input2)      // line 7
            most = input2;       // line 8
        if (least > input3)      // line 9
            least = input3;      // line 10
    end

    wire holds = least <= input1 && least <= input2 && least <= input3
              && most >= input1 && most >= input2 && most >= input3;   // line 11

    initial begin
        running = 1'b1;
        error   = 1'b1;
    end

    always @(posedge clk) begin
        running <= 1'b0;
        if (running && holds)
            error <= 1'b0;
    end
endmodule
