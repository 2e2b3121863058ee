//! Text that goes into a page: what a browser would obey is written out.

use std::fmt;

/// A text between tags or inside of a quoted attribute. Names and lines of a source can have
/// anything in them: markup is escaped, and control characters and those that change the
/// direction of a line are written as `\u{1b}`.
pub struct Escaped<T>(pub T);

impl<T: AsRef<str>> fmt::Display for Escaped<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.as_ref().chars() {
            match character {
                '&' => formatter.write_str("&amp;")?,
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                '"' => formatter.write_str("&quot;")?,
                '\n' | '\t' => write!(formatter, "{character}")?,
                _ if is_obeyed(character) => write!(formatter, "{}", character.escape_unicode())?,
                _ => write!(formatter, "{character}")?,
            }
        }
        Ok(())
    }
}

fn is_obeyed(character: char) -> bool {
    let changes_direction = matches!(
        character,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || changes_direction
}

/// A sentence: what stands between backticks is code.
pub fn sentence(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let count = text.matches('`').count();
    if !count.is_multiple_of(2) {
        return Escaped(text).to_string();
    }
    let parts = parts.map(|(index, part)| match index % 2 {
        0 => Escaped(part).to_string(),
        _ => format!("<code>{}</code>", Escaped(part)),
    });
    parts.collect()
}

/// JSON that stands in an element `script`: nothing in it ends the element or begins a comment.
pub fn json(value: &impl serde::Serialize) -> String {
    // Plain data with text keys: there is nothing in it that could not be written.
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".to_string());
    text.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// `1 step`, `2 steps`.
pub fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_name_is_markup() {
        let name = "<script>alert(\"&\")</script>\u{1b}[2J\u{202e}";
        let shown = "&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;\\u{1b}[2J\\u{202e}";
        assert_eq!(Escaped(name).to_string(), shown);
    }

    #[test]
    fn what_is_quoted_is_code() {
        assert_eq!(sentence("keeps `a<b`."), "keeps <code>a&lt;b</code>.");
        assert_eq!(sentence("one ` alone"), "one ` alone");
    }

    #[test]
    fn data_does_not_end_its_element() {
        let text = json(&["</script><!--"]);
        assert!(!text.contains('<'), "{text}");
        let value: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(value, ["</script><!--"]);
    }
}
