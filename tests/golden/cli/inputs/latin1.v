// Prüfung
module m; endmodule
