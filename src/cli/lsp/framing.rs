//! Messages on a stream: a header with the length, an empty line, and as many bytes of JSON.
//!
//! Whatever comes, reading goes on: lines that are no header are left out, a message that is
//! too long is passed over, and only the end of the stream ends it.

use std::io::{self, BufRead, Read, Write};

/// The longest line of a header.
const LONGEST_LINE: u64 = 4 << 10;
/// The longest message that is kept.
const LONGEST_MESSAGE: u64 = 64 << 20;

/// What comes next on a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming {
    Message(Vec<u8>),
    /// No message, and why.
    Malformed(String),
    End,
}

/// Reads up to the end of the next message.
pub fn receive(stream: &mut impl BufRead) -> Incoming {
    let mut length: Option<Result<u64, String>> = None;
    let mut has_header = false;
    loop {
        let mut line = Vec::new();
        match stream
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return Incoming::End,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !text.is_empty() {
            has_header = true;
            if let Some((name, value)) = text.split_once(':')
                && name.trim().eq_ignore_ascii_case("content-length")
            {
                let parsed = value.trim().parse::<u64>();
                length = Some(parsed.map_err(|_| format!("`{}` is no length", value.trim())));
            }
            continue;
        }
        match length.take() {
            Some(Ok(length)) => return body(stream, length),
            Some(Err(problem)) => return Incoming::Malformed(problem),
            None if has_header => {
                return Incoming::Malformed("a header has no `Content-Length`".to_string());
            }
            // An empty line between messages.
            None => {}
        }
    }
}

fn body(stream: &mut impl BufRead, length: u64) -> Incoming {
    if length > LONGEST_MESSAGE {
        let passed = io::copy(&mut stream.by_ref().take(length), &mut io::sink());
        return match passed {
            Ok(bytes) if bytes == length => {
                Incoming::Malformed(format!("a message of {length} bytes is too long"))
            }
            _ => Incoming::End,
        };
    }
    let mut bytes = Vec::new();
    match stream.by_ref().take(length).read_to_end(&mut bytes) {
        Ok(read) if read as u64 == length => Incoming::Message(bytes),
        _ => Incoming::End,
    }
}

/// Writes a message, and sees to it that it leaves.
pub fn send(stream: &mut impl Write, message: &serde_json::Value) -> io::Result<()> {
    let text = message.to_string();
    write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use serde_json::json;

    fn all(mut bytes: &[u8]) -> Vec<Incoming> {
        let mut found = Vec::new();
        loop {
            match receive(&mut bytes) {
                Incoming::End => return found,
                other => found.push(other),
            }
        }
    }

    fn message(text: &str) -> Incoming {
        Incoming::Message(text.as_bytes().to_vec())
    }

    #[test]
    fn what_is_sent_is_received() {
        let mut stream = Vec::new();
        send(&mut stream, &json!({ "é": 1 })).unwrap();
        send(&mut stream, &json!([])).unwrap();
        assert_eq!(all(&stream), [message("{\"é\":1}"), message("[]")]);
    }

    #[test]
    fn other_headers_and_their_case_do_not_matter() {
        let text = b"Content-Type: application/vscode-jsonrpc\r\ncontent-length:2\r\n\r\n{}";
        assert_eq!(all(text), [message("{}")]);
    }

    #[test]
    fn reading_goes_on_after_what_is_no_message() {
        let text = b"Content-Length: -1\r\n\r\nhello\r\n\r\nContent-Length: 2\r\n\r\n{}";
        let found = all(text);
        assert!(matches!(found[0], Incoming::Malformed(_)), "{found:?}");
        assert!(matches!(found[1], Incoming::Malformed(_)), "{found:?}");
        assert_eq!(found[2], message("{}"));
    }

    #[test]
    fn a_message_that_is_cut_short_is_the_end() {
        assert_eq!(all(b"Content-Length: 20\r\n\r\n{}"), []);
        assert_eq!(
            all(b"Content-Length: 99999999999999999999\r\n\r\n{}").len(),
            1
        );
        assert_eq!(all(b"Content-Length: 9999999999\r\n\r\n{}"), []);
    }

    #[test]
    fn random_bytes_end_some_day() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let pieces = [
                b"Content-Length: ".as_slice(),
                b"7",
                b"\r\n",
                b"\n",
                b"{}",
                b"\xff:",
            ];
            let mut bytes = Vec::new();
            for _ in 0..random.below(60) {
                bytes.extend_from_slice(pieces[random.below(pieces.len())]);
            }
            // That it ends is all that is asked.
            all(&bytes);
        }
    }
}
