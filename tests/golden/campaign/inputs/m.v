module m(input a, input b, output y, output z);
assign y = a;
assign z = a & b;
endmodule
