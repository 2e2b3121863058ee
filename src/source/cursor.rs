//! A place in the tokens of a text, for parsers of all languages.
//!
//! What a token is, and how a language asks for one and complains about another, is the
//! parser's own; moving about, and never over the end, is the same for all.

/// The last token is the end; there is always one, and it is followed by ends.
#[derive(Debug)]
pub struct Cursor<'t, T> {
    tokens: &'t [T],
    position: usize,
}

impl<'t, T> Cursor<'t, T> {
    pub fn new(tokens: &'t [T]) -> Cursor<'t, T> {
        debug_assert!(!tokens.is_empty(), "there is no end");
        Cursor {
            tokens,
            position: 0,
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
        self.go_to(self.position + 1);
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

    #[test]
    fn the_end_is_followed_by_ends() {
        let mut cursor = Cursor::new(&["a", "end"]);
        assert_eq!([*cursor.advance(), *cursor.advance()], ["a", "end"]);
        assert_eq!([*cursor.advance(), *cursor.peek_at(5)], ["end", "end"]);
        assert_eq!((cursor.position(), *cursor.last()), (2, "end"));
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
