//! What each template costs. Changing a single token costs least; adding a signal that was
//! not there costs more than changing one that was.

/// A literal that is one higher or lower, or one other digit of a label with wildcards.
pub const NEIGHBOUR: u32 = 10;
pub const OPERATOR: u32 = 10;
pub const CONSTANT_NAME: u32 = 11;
pub const ASSIGNMENT: u32 = 11;
pub const NEGATION: u32 = 12;
pub const LITERAL: u32 = 13;
/// The bit that a shifted word loses, in place of a constant.
pub const ROTATION: u32 = 12;
pub const SWAP: u32 = 13;
/// One operand in place of both.
pub const DROP: u32 = 13;
pub const SIGNAL: u32 = 14;
pub const TARGET: u32 = 14;
pub const BRANCH: u32 = 15;
/// The index of another select.
pub const INDEX: u32 = 15;
/// One more or one less than a signal, or a signal in place of a literal.
pub const OFFSET: u32 = 16;
pub const CONSTANT_VALUE: u32 = 17;
/// A shift in place of a sum or product, or the other way round.
pub const SHIFT: u32 = 18;
pub const OTHER_VALUE: u32 = 18;
pub const ARITHMETIC_VALUE: u32 = 20;
pub const EXTRA_OPERAND: u32 = 21;
pub const EXTRA_COMPARISON: u32 = 24;
/// The other edge of a clock or reset, or an event less.
pub const SENSITIVITY: u32 = 15;
/// Signed operands where they are unsigned.
pub const SIGN: u32 = 13;
/// A statement moved into an `else`, or out of it.
pub const PLACEMENT: u32 = 14;
/// A statement copied from a sibling branch.
pub const MISSING_STATEMENT: u32 = 15;
/// `if (guard)` before a statement.
pub const GUARD: u32 = 22;
/// A statement without its guard.
pub const NO_GUARD: u32 = 17;
/// An operand added inside of an expression.
pub const INNER_OPERAND: u32 = 23;
/// Added at most for the operands of an expression that is replaced as a whole, one for each
/// after the first.
pub const MOST_FOR_TOKENS: u32 = 4;
/// Added for `||` where `&&` is as short.
pub const DISJUNCTION: u32 = 2;
/// Added for an order of enumerated values.
pub const ORDERED_ENUMERATION: u32 = 6;
/// Added for `>= 0` and `< 0`, which say nothing of an unsigned signal: to drop the comparison says
/// the same.
pub const CONSTANT_COMPARISON: u32 = 6;
/// Added where a label or constant becomes the same as another one.
pub const REPEATED_CODE: u32 = 6;
/// Added where an edit reads a reset as if it were data.
pub const RESET_AS_DATA: u32 = 12;
