// Minimum and maximum of three numbers, after Fig. 12 of JSGB11. The statements are those
// of the figure, in its order.
module minmax (
    input  wire [1:0] input1,
    input  wire [1:0] input2,
    input  wire [1:0] input3,
    output reg  [1:0] least,
    output reg  [1:0] most
);
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
endmodule
