// A pipelined processor of eight bits: fetch, decode, execute, write back.
//
// An instruction is {operation, d, a, b}, two bits each:
//     ADD  d = a + b          NAND  d = ~(a & b)
//     LOAD d = memory[a]      JUMP  if `flag` is set, continue at b
// Results are forwarded to the instruction in decode. A load has its value only in write
// back, so an instruction that needs it waits for one cycle. A jump is decided in
// execute; the two instructions behind it are dropped if it is taken.
module processor (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] instruction,   // at `pc`
    input  wire [7:0] memory_data,   // for the load in write back
    input  wire       flag,          // for the jump in execute
    output reg  [7:0] pc,
    output wire [7:0] memory_address,
    output wire       memory_read
);
    localparam [1:0] ADD = 2'd0, NAND = 2'd1, LOAD = 2'd2, JUMP = 2'd3;

    // Registers between the stages.
    reg       d_valid;
    reg [7:0] d_instruction;
    reg       x_valid;
    reg [1:0] x_operation;
    reg [1:0] x_target;
    reg [7:0] x_a;
    reg [7:0] x_b;
    reg       w_write;
    reg       w_load;
    reg [1:0] w_target;
    reg [7:0] w_result;

    // The register file.
    reg [7:0] r0, r1, r2, r3;

    // Decode: what the instruction is.
    wire [1:0] d_operation = d_instruction[7:6];
    wire [1:0] d_target    = d_instruction[5:4];
    wire [1:0] d_source_a  = d_instruction[3:2];
    wire [1:0] d_source_b  = d_instruction[1:0];
    wire       d_reads_b   = d_operation != LOAD;

    // Execute: what happens there.
    wire x_is_load   = x_valid && x_operation == LOAD;
    wire x_is_jump   = x_valid && x_operation == JUMP;
    wire x_has_value = x_valid && (x_operation == ADD || x_operation == NAND);
    wire x_writes    = x_has_value || x_is_load;
    wire jump        = x_is_jump && flag;

    // A load in execute has no value for the instruction in decode yet.
    wire stall = d_valid && x_is_load && (x_target == d_source_a || (d_reads_b && d_source_a == d_source_b));

    // Where the operands come from: the youngest instruction that writes the register.
    wire a_from_x = x_has_value && x_target == d_source_a;
    wire a_from_w = w_write && w_target == d_source_a;
    wire b_from_x = x_has_value && x_target == d_source_b;
    wire b_from_w = w_write && w_target == d_source_b;

    wire [7:0] x_value = x_operation == ADD ? x_a + x_b : ~(x_a & x_b);
    wire [7:0] w_value = w_load ? memory_data : w_result;

    reg [7:0] file_a;
    reg [7:0] file_b;
    always @* begin
        case (d_source_a)
            2'd0:    file_a = r0;
            2'd1:    file_a = r1;
            2'd2:    file_a = r2;
            default: file_a = r3;
        endcase
        case (d_source_b)
            2'd0:    file_b = r0;
            2'd1:    file_b = r1;
            2'd2:    file_b = r2;
            default: file_b = r3;
        endcase
    end

    wire [7:0] operand_a = a_from_x ? x_value : a_from_w ? w_value : file_a;
    wire [7:0] operand_b = b_from_x ? x_value : b_from_w ? w_value : file_b;

    assign memory_address = x_a;
    assign memory_read    = x_is_load;

    // Fetch.
    always @(posedge clk) begin
        if (rst)
            pc <= 8'd0;
        else if (jump)
            pc <= x_b;
        else if (!stall)
            pc <= pc + 8'd1;
    end

    always @(posedge clk) begin
        if (rst || jump)
            d_valid <= 1'b0;
        else if (!stall)
            d_valid <= 1'b1;
    end

    always @(posedge clk)
        if (!stall)
            d_instruction <= instruction;

    // Decode to execute.
    always @(posedge clk) begin
        if (rst || jump || stall)
            x_valid <= 1'b0;
        else
            x_valid <= d_valid;
    end

    always @(posedge clk) begin
        x_operation   <= d_operation;
        x_target      <= d_target;
        x_a           <= operand_a;
        x_b           <= operand_b;
    end

    // Execute to write back.
    always @(posedge clk) begin
        if (rst) begin
            w_write <= 1'b0;
            w_load  <= 1'b0;
        end else begin
            w_write <= x_writes;
            w_load  <= x_is_load;
        end
    end

    always @(posedge clk) begin
        w_target <= x_target;
        w_result <= x_value;
    end

    // Write back.
    always @(posedge clk) begin
        if (w_write) begin
            case (w_target)
                2'd0:    r0 <= w_value;
                2'd1:    r1 <= w_value;
                2'd2:    r2 <= w_value;
                default: r3 <= w_value;
            endcase
        end
    end
endmodule
