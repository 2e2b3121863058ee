// Sells at fifteen cents; takes nickels and dimes, one coin a cycle; gives no change.
module vending (
    input  wire clk,
    input  wire rst,
    input  wire nickel,
    input  wire dime,
    output wire vend
);
    localparam [1:0] ZERO = 2'b00,
                     FIVE = 2'b01,
                     TEN  = 2'b10,
                     PAID = 2'b11;
    reg [1:0] state;
    reg [1:0] next;

    always @* begin
        case (state)
            ZERO:    next = dime ? TEN : nickel ? FIVE : ZERO;
            FIVE:    next = dime ? PAID : nickel ? TEN : FIVE;
            TEN:     next = (dime || nickel) ? TEN : TEN;
            default: next = ZERO;
        endcase
    end

    always @(posedge clk)
        if (rst)
            state <= ZERO;
        else
            state <= next;

    assign vend = state == PAID;
endmodule
