// Copies `length` words, one read and one write at a time.

`define WIDTH 3

// A counter that can be loaded.
module address_counter (
    input  wire              clk,
    input  wire              load,
    input  wire [`WIDTH-1:0] start,
    input  wire              step,
    output reg  [`WIDTH-1:0] address
);
    always @(posedge clk)
        if (load)
            address <= start;
        else if (step)
            address <= address + 1'b1;
endmodule

module dma_channel (
    input  wire              clk,
    input  wire              rst,
    input  wire              go,
    input  wire [`WIDTH-1:0] from,
    input  wire [`WIDTH-1:0] to,
    input  wire [1:0]        length,
    input  wire              granted,
    output wire              read,
    output wire              write,
    output wire [`WIDTH-1:0] source,
    output wire [`WIDTH-1:0] target,
    output wire              done
);
    localparam [1:0] IDLE = 2'd0, READ = 2'd1, WRITE = 2'd2, LAST = 2'd3;

    reg [1:0] state;
    reg [1:0] left;

    wire begins = state == IDLE && go && length != 2'd0;

    assign read  = state == READ && granted;
    assign write = state == WRITE && granted;
    assign done  = state == LAST;

    address_counter source_counter (
        .clk(clk), .load(begins), .start(from), .step(write), .address(source)
    );
    address_counter target_counter (
        .clk(clk), .load(begins), .start(to), .step(write), .address(target)
    );

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
            left  <= 2'd0;
        end else begin
            case (state)
                IDLE: if (begins) begin
                    state <= READ;
                    left  <= length;
                end
                READ: if (granted)
                    state <= WRITE;
                WRITE: if (granted) begin
                    left  <= left - 2'd1;
                    state <= (left == 2'd1) ? LAST : READ;
                end
                default: state <= IDLE;
            endcase
        end
    end
endmodule
