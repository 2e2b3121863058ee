//! A place in the tokens of a text, for parsers of all languages.
//!
//! What a token is, and how a language asks for one and complains about another, is the
//! parser's own; moving about, and never over the end, is the same for all.

use crate::limits::Limits;

/// The last token is the end; there is always one, and it is followed by ends.
#[derive(Debug)]
pub struct Cursor<'t, T> {
    tokens: &'t [T],
    position: usize,
    limits: Option<&'t Limits>,
}

impl<'t, T> Cursor<'t, T> {
    pub fn new(tokens: &'t [T]) -> Cursor<'t, T> {
        debug_assert!(!tokens.is_empty(), "there is no end");
        Cursor {
            tokens,
            position: 0,
            limits: None,
        }
    }

    /// The same, except that the end comes at once when a limit is reached. Who calls a parser
    /// asks the limits before it believes what was parsed: see
    /// [`Limits::unless_reached`].
    pub fn within(tokens: &'t [T], limits: &'t Limits) -> Cursor<'t, T> {
        Cursor {
            limits: Some(limits),
            ..Cursor::new(tokens)
        }
    }

    /// The next token.
    pub fn peek(&self) -> &'t T {
        self.peek_at(0)
    }

    /// The one so many tokens after the next.
    pub fn peek_at(&self, ahead: usize) -> &'t T {
        self.at(self.position + ahead)
    }

    /// The last token that was read; the first, if none was.
    pub fn last(&self) -> &'t T {
        self.read_before(1)
    }

    /// The token that was read so many tokens ago.
    pub fn read_before(&self, count: usize) -> &'t T {
        self.at(self.position.saturating_sub(count))
    }

    /// The token at a position.
    pub fn at(&self, position: usize) -> &'t T {
        &self.tokens[position.min(self.tokens.len() - 1)]
    }

    /// Reads the next token.
    pub fn advance(&mut self) -> &'t T {
        let token = self.peek();
        let stopped = self.limits.is_some_and(|limits| limits.poll().is_err());
        self.go_to(if stopped {
            self.tokens.len() - 1
        } else {
            self.position + 1
        });
        token
    }

    /// Reads the next token, if it is a wanted one.
    pub fn accept(&mut self, is_wanted: impl FnOnce(&T) -> bool) -> Option<&'t T> {
        is_wanted(self.peek()).then(|| self.advance())
    }

    /// How many tokens were read.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Continues elsewhere. Also the end can be read, once.
    pub fn go_to(&mut self, position: usize) {
        self.position = position.min(self.tokens.len());
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;
    use crate::limits::Limits;

    #[test]
    fn the_end_is_followed_by_ends() {
        let mut cursor = Cursor::new(&["a", "end"]);
        assert_eq!([*cursor.advance(), *cursor.advance()], ["a", "end"]);
        assert_eq!([*cursor.advance(), *cursor.peek_at(5)], ["end", "end"]);
        assert_eq!((cursor.position(), *cursor.last()), (2, "end"));
    }

    #[test]
    fn a_limit_is_the_end() {
        let limits = Limits::new(Some(std::time::Duration::ZERO), None, Default::default());
        assert!(limits.check().is_err());
        let mut cursor = Cursor::within(&["a", "b", "c", "end"], &limits);
        assert_eq!([*cursor.advance(), *cursor.advance()], ["a", "end"]);
    }

    #[test]
    fn only_what_is_wanted_is_accepted() {
        let mut cursor = Cursor::new(&["a", "b", "end"]);
        assert_eq!(cursor.accept(|token| *token == "b"), None);
        assert_eq!(cursor.accept(|token| *token == "a"), Some(&"a"));
        assert_eq!((*cursor.last(), *cursor.peek()), ("a", "b"));
    }

    #[test]
    fn a_position_can_be_returned_to() {
        let mut cursor = Cursor::new(&["a", "b", "end"]);
        let start = cursor.position();
        cursor.advance();
        cursor.go_to(start);
        assert_eq!((*cursor.peek(), *cursor.last()), ("a", "a"));
    }
}
