// Decodes the two-bit opcode of a tiny accumulator machine. Unknown opcodes do nothing.
module decoder (
    input  wire       clk,
    input  wire [1:0] opcode,
    input  wire       operand,
    output reg        accumulator
);
    localparam [1:0] NOP = 2'd0, LOAD = 2'd1, TOGGLE = 2'd2;

    reg [1:0] operation;

    initial accumulator = 1'b0;

    always @* begin
        case (opcode)
            2'b01:   operation = LOAD;
            2'b10:   operation = TOGGLE;
        endcase
    end

    always @(posedge clk)
        case (operation)
            LOAD:    accumulator <= operand;
            TOGGLE:  accumulator <= ~accumulator;
            default: accumulator <= accumulator;
        endcase
endmodule
