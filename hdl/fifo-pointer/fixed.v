// Pointers of a ring with five slots. The number of entries decides full and empty.
module ring_pointers (
    input  wire       clk,
    input  wire       rst,
    input  wire       push,
    input  wire       pop,
    output reg  [2:0] head,
    output reg  [2:0] tail,
    output wire       full,
    output wire       empty
);
    reg [2:0] used;

    assign full  = used == 3'd5;
    assign empty = used == 3'd0;

    wire put  = push & ~full;
    wire take = pop & ~empty;

    always @(posedge clk) begin
        if (rst) begin
            head <= 3'd0;
            tail <= 3'd0;
            used <= 3'd0;
        end else begin
            if (put)
                tail <= (tail == 3'd4) ? 3'd0 : tail + 3'd1;
            if (take)
                head <= (head == 3'd4) ? 3'd0 : head + 3'd1;
            if (put & ~take)
                used <= used + 3'd1;
            else if (take & ~put)
                used <= used - 3'd1;
        end
    end
endmodule
