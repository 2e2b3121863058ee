//! A server for one page on this machine: as much of HTTP/1.1 as a browser needs.
//!
//! Everything is bounded: how many connections there are, how long one may take, how long a
//! request is. One thread serves all, so that whoever connects and says nothing, as browsers
//! do to be ready, keeps nobody waiting. Who does not know the token gets an answer of a few
//! bytes, which needs no room in a socket that is not read.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

const MOST_CONNECTIONS: usize = 32;
const LONGEST_HEAD: usize = 8 << 10;
const LONGEST_BODY: usize = 256 << 10;
/// From the connection to the last byte of the request.
const PATIENCE: Duration = Duration::from_secs(10);
/// For what is written.
const WRITING: Duration = Duration::from_secs(2);
/// How long nothing is done if there is nothing to do.
const PAUSE: Duration = Duration::from_millis(4);

pub struct Server {
    listener: TcpListener,
    port: u16,
    token: String,
    connections: Vec<Connection>,
}

struct Connection {
    stream: TcpStream,
    since: Instant,
    read: Vec<u8>,
}

/// A request that may be answered: it has the token, and does not come from another page.
#[derive(Debug)]
pub struct Request {
    pub is_post: bool,
    /// What comes after the token.
    pub path: String,
    pub body: Vec<u8>,
    stream: TcpStream,
}

/// A request without its connection.
#[derive(Debug, PartialEq, Eq)]
struct Parsed {
    is_post: bool,
    path: String,
    body: Vec<u8>,
}

/// What is said to a request that is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub u16, pub &'static str);

const MALFORMED: Refusal = Refusal(400, "Bad Request");
const FORBIDDEN: Refusal = Refusal(403, "Forbidden");
const TOO_LONG: Refusal = Refusal(413, "Content Too Large");
const TOO_LONG_HEAD: Refusal = Refusal(431, "Request Header Fields Too Large");
pub const NOT_FOUND: Refusal = Refusal(404, "Not Found");
pub const NOT_READ: Refusal = Refusal(422, "Unprocessable Content");

impl Server {
    /// Listens on the loopback interface only; 0 is any port that is free.
    pub fn new(port: u16, token: String) -> io::Result<Server> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
        Ok(Server {
            port: listener.local_addr()?.port(),
            listener,
            token,
            connections: Vec::new(),
        })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Goes round all connections once; a request that is complete, if there is one.
    pub fn poll(&mut self) -> Option<Request> {
        let is_idle = !self.accept();
        let mut found = None;
        let mut at = 0;
        let mut is_quiet = is_idle;
        while at < self.connections.len() && found.is_none() {
            let connection = &mut self.connections[at];
            let before = connection.read.len();
            let (is_open, refused) = match connection.fill() {
                Ok(is_open) => (is_open, None),
                Err(refusal) => (false, Some(refusal)),
            };
            is_quiet &= connection.read.len() == before;
            let parsed = match refused {
                Some(refusal) => Some(Err(refusal)),
                None => parse(&connection.read, self.port, &self.token).transpose(),
            };
            if parsed.is_none() && is_open && connection.since.elapsed() < PATIENCE {
                at += 1;
                continue;
            }
            let stream = self.connections.swap_remove(at).stream;
            match parsed {
                None => {}
                Some(Err(refusal)) => refuse(stream, refusal),
                Some(Ok(parsed)) => {
                    found = Some(Request {
                        is_post: parsed.is_post,
                        path: parsed.path,
                        body: parsed.body,
                        stream,
                    });
                }
            }
        }
        if is_quiet && found.is_none() {
            std::thread::sleep(PAUSE);
        }
        found
    }

    /// Takes one connection. If there are too many, the oldest one goes.
    fn accept(&mut self) -> bool {
        let Ok((stream, _)) = self.listener.accept() else {
            return false;
        };
        if stream.set_nonblocking(true).is_err() {
            return false;
        }
        if self.connections.len() >= MOST_CONNECTIONS {
            self.connections.remove(0);
        }
        self.connections.push(Connection {
            stream,
            since: Instant::now(),
            read: Vec::new(),
        });
        true
    }
}

impl Connection {
    /// Reads what is there; whether more can come.
    fn fill(&mut self) -> Result<bool, Refusal> {
        let mut buffer = [0; 16 << 10];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(count) => self.read.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Ok(false),
            }
            if self.read.len() > LONGEST_HEAD + LONGEST_BODY {
                return Err(TOO_LONG);
            }
        }
    }
}

/// The request that bytes begin with; nothing if more have to come.
fn parse(bytes: &[u8], port: u16, token: &str) -> Result<Option<Parsed>, Refusal> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    if end.unwrap_or(bytes.len()) > LONGEST_HEAD {
        return Err(TOO_LONG_HEAD);
    }
    let Some(end) = end else {
        return Ok(None);
    };
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| MALFORMED)?;
    let mut lines = head.split("\r\n");
    let words: Vec<&str> = lines.next().unwrap_or("").split(' ').collect();
    let (is_post, target) = match words.as_slice() {
        ["GET", target, "HTTP/1.1" | "HTTP/1.0"] => (false, *target),
        ["POST", target, "HTTP/1.1" | "HTTP/1.0"] => (true, *target),
        _ => return Err(MALFORMED),
    };
    let mut headers = Headers::default();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(MALFORMED)?;
        headers.add(name, value.trim())?;
    }
    headers.check(port)?;
    let path = target.strip_prefix('/').ok_or(MALFORMED)?;
    let (given, rest) = path.split_once('/').ok_or(FORBIDDEN)?;
    if !is_same(given.as_bytes(), token.as_bytes()) {
        return Err(FORBIDDEN);
    }
    let length = headers.length.unwrap_or(0);
    if length > LONGEST_BODY {
        return Err(TOO_LONG);
    }
    let body = &bytes[end + 4..];
    if body.len() < length {
        return Ok(None);
    }
    Ok(Some(Parsed {
        is_post,
        path: rest.split('?').next().unwrap_or(rest).to_string(),
        body: body[..length].to_vec(),
    }))
}

/// What counts of the head of a request.
#[derive(Default)]
struct Headers<'a> {
    host: Option<&'a str>,
    origin: Option<&'a str>,
    length: Option<usize>,
}

impl<'a> Headers<'a> {
    fn add(&mut self, name: &str, value: &'a str) -> Result<(), Refusal> {
        match name.to_ascii_lowercase().as_str() {
            "host" if self.host.is_none() => self.host = Some(value),
            "origin" if self.origin.is_none() => self.origin = Some(value),
            "content-length" if self.length.is_none() => {
                let is_number = value.len() <= 9 && value.bytes().all(|one| one.is_ascii_digit());
                let length = value.parse().ok().filter(|_| is_number);
                self.length = Some(length.ok_or(MALFORMED)?);
            }
            "host" | "origin" | "content-length" | "transfer-encoding" => return Err(MALFORMED),
            _ => {}
        }
        Ok(())
    }

    /// The name has to be ours, or another one could have been made to lead here; a page of
    /// another origin has no business here even if it knows the token.
    fn check(&self, port: u16) -> Result<(), Refusal> {
        let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let is_ours = |host: &str| names.iter().any(|name| name == host);
        let origin = self
            .origin
            .map(|one| one.strip_prefix("http://").unwrap_or(""));
        if self.host.is_some_and(is_ours) && origin.is_none_or(is_ours) {
            Ok(())
        } else {
            Err(FORBIDDEN)
        }
    }
}

/// Takes as long whatever the difference.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differences = one
        .iter()
        .zip(other)
        .fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differences == 0
}

impl Request {
    /// Answers with a text. Who does not read it is not waited for, and nobody hears of it.
    pub fn answer(self, kind: &str, text: &str) {
        send(self.stream, "200 OK", kind, text);
    }

    pub fn refuse(self, refusal: Refusal) {
        refuse(self.stream, refusal);
    }
}

fn refuse(stream: TcpStream, refusal: Refusal) {
    let Refusal(code, word) = refusal;
    let status = format!("{code} {word}");
    send(stream, &status, "text/plain", &format!("{word}\n"));
}

fn send(mut stream: TcpStream, status: &str, kind: &str, text: &str) {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         X-Frame-Options: DENY\r\n\r\n",
        text.len()
    );
    let ready = stream.set_nonblocking(false);
    let ready = ready.and_then(|()| stream.set_write_timeout(Some(WRITING)));
    let written = ready.and_then(|()| stream.write_all(head.as_bytes()));
    let _ = written.and_then(|()| stream.write_all(text.as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const TOKEN: &str = "abc123";

    fn check(request: &str, expected: Result<Option<(bool, &str, &str)>, Refusal>) {
        let found = parse(request.as_bytes(), 80, TOKEN);
        let expected = expected.map(|found| {
            found.map(|(is_post, path, body)| Parsed {
                is_post,
                path: path.to_string(),
                body: body.as_bytes().to_vec(),
            })
        });
        assert_eq!(found, expected, "{request}");
    }

    #[test]
    fn a_request_with_the_token_is_read() {
        let head = "GET /abc123/ HTTP/1.1\r\nHost: 127.0.0.1:80\r\n";
        check(&format!("{head}\r\n"), Ok(Some((false, "", ""))));
        check(head, Ok(None));
        let head = "POST /abc123/play HTTP/1.1\r\nhost: localhost:80\r\n\
                    Origin: http://localhost:80\r\nContent-Length: 3\r\n\r\n";
        check(&format!("{head}ab"), Ok(None));
        check(&format!("{head}abc"), Ok(Some((true, "play", "abc"))));
    }

    #[test]
    fn others_are_refused() {
        for (line, headers, refusal) in [
            ("GET / HTTP/1.1", "Host: 127.0.0.1:80", FORBIDDEN),
            ("GET /abc124/ HTTP/1.1", "Host: 127.0.0.1:80", FORBIDDEN),
            ("GET /abc123/ HTTP/1.1", "Host: evil.example:80", FORBIDDEN),
            ("GET /abc123/ HTTP/1.1", "Accept: */*", FORBIDDEN),
            (
                "POST /abc123/play HTTP/1.1",
                "Host: 127.0.0.1:80\r\nOrigin: http://evil.example",
                FORBIDDEN,
            ),
            (
                "POST /abc123/play HTTP/1.1",
                "Host: 127.0.0.1:80\r\nOrigin: null",
                FORBIDDEN,
            ),
            (
                "POST /abc123/play HTTP/1.1",
                "Host: 127.0.0.1:80\r\nContent-Length: 999999",
                TOO_LONG,
            ),
            (
                "POST /abc123/play HTTP/1.1",
                "Host: 127.0.0.1:80\r\nContent-Length: -1",
                MALFORMED,
            ),
            (
                "POST /abc123/play HTTP/1.1",
                "Host: 127.0.0.1:80\r\nTransfer-Encoding: chunked",
                MALFORMED,
            ),
            ("DELETE /abc123/ HTTP/1.1", "Host: 127.0.0.1:80", MALFORMED),
        ] {
            check(&format!("{line}\r\n{headers}\r\n\r\n"), Err(refusal));
        }
        let long = format!("GET /{} HTTP/1.1\r\n", "a".repeat(LONGEST_HEAD));
        check(&long, Err(TOO_LONG_HEAD));
    }

    /// Bytes that nobody meant: no panic, and none that gets in without the token.
    #[test]
    fn any_bytes_are_read_or_refused() {
        let seed = 7;
        let mut random = Random::new(seed);
        let whole =
            b"POST /abc124/play HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 2\r\n\r\n{}";
        for case in 0..10_000 {
            let mut bytes = whole.to_vec();
            for _ in 0..random.below(6) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => bytes.truncate(at + 1),
                    _ => bytes.insert(at, random.below(256) as u8),
                }
            }
            let is_let_in = matches!(parse(&bytes, 80, TOKEN), Ok(Some(_)));
            let knows = bytes
                .windows(TOKEN.len())
                .any(|one| one == TOKEN.as_bytes());
            assert!(!is_let_in || knows, "seed {seed}, case {case}");
        }
    }
}
