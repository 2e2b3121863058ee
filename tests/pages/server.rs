//! The server of games, as others than its page meet it.

use super::Game;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Sends bytes, and gives what comes back.
fn exchange(port: u16, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).expect("a timeout");
    // What is refused early is not read to its end.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn request(game: &Game, line: &str, headers: &str, body: &str) -> String {
    let (port, length) = (game.port(), body.len());
    let text = format!(
        "{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    exchange(port, text.as_bytes())
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[test]
fn who_has_no_token_or_comes_from_elsewhere_is_refused() {
    let game = Game::of("specs/delayed_copy.spectra");
    let token = game.token().to_string();
    let play = format!("POST /{token}/play");
    let body = "{\"moves\":[]}";
    let own = format!("Origin: http://127.0.0.1:{}\r\n", game.port());
    for (line, headers, body, expected) in [
        (play.as_str(), own.as_str(), body, "200"),
        (play.as_str(), "", body, "200"),
        ("GET /", "", "", "403"),
        ("POST /play", "", body, "403"),
        (
            "POST /0123456789abcdef0123456789abcdef/play",
            "",
            body,
            "403",
        ),
        (
            play.as_str(),
            "Origin: http://evil.example\r\n",
            body,
            "403",
        ),
        (play.as_str(), "Origin: null\r\n", body, "403"),
        (play.as_str(), "Transfer-Encoding: chunked\r\n", body, "400"),
        (play.as_str(), "", "{\"moves\":", "422"),
        (&format!("GET /{token}/play"), "", "", "404"),
        (&format!("GET /{token}/../../etc/passwd"), "", "", "404"),
    ] {
        let answer = request(&game, line, headers, body);
        assert_eq!(status(&answer), expected, "{line} {headers}\n{answer}");
    }
    let long = "x".repeat(400 << 10);
    let answer = request(&game, &play, "", &long);
    assert!(["413", "none"].contains(&status(&answer)), "{answer}");
    let answer = request(&game, &play, &format!("X: {}\r\n", "x".repeat(20_000)), "");
    assert!(["431", "none"].contains(&status(&answer)), "{answer}");
    let rebound = format!(
        "GET /{token}/ HTTP/1.1\r\nHost: evil.example:{}\r\n\r\n",
        game.port()
    );
    assert_eq!(status(&exchange(game.port(), rebound.as_bytes())), "403");
}

#[test]
fn a_port_that_is_taken_is_refused() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_respin"))
        .args([
            "play",
            "specs/delayed_copy.spectra",
            "--serve",
            &port.to_string(),
        ])
        .current_dir(super::root())
        .output()
        .expect("respin runs");
    assert_eq!(output.status.code(), Some(2));
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(problems.contains("R0021"), "{problems}");
}

/// Requests that nobody meant, with the token, while connections stand idle; then the game
/// still plays. Move by move, what is asked is what is answered.
#[test]
fn random_requests_do_no_harm() {
    let count = std::env::var("RESPIN_REQUESTS").ok();
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(600);
    let seed = 11_u64;
    println!("seed {seed}");
    let mut state = seed;
    let mut below = move |bound: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    let game = Game::of("specs/delayed_copy.spectra");
    let idle: Vec<TcpStream> = (0..8)
        .map(|_| TcpStream::connect(("127.0.0.1", game.port())).expect("a connection"))
        .collect();
    let words = [
        "s=true", "s=false", "nothing", "=", "s=", "s=maybe", "\\u0000", "e=true", "s=?", "quit",
    ];
    for case in 0..count {
        let moves: Vec<String> = (0..below(4))
            .map(|_| format!("\"{}\"", words[below(words.len())]))
            .collect();
        let body = format!(
            "{{\"moves\":[{}],\"marks\":{}}}",
            moves.join(","),
            below(2) == 1
        );
        let path = ["play", "vcd", "", "other", "play?x"][below(5)];
        let method = ["POST", "GET"][below(2)];
        let mut text = format!(
            "{method} /{}/{path} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Length: {}\r\n\r\n{body}",
            game.token(),
            game.port(),
            body.len()
        )
        .into_bytes();
        if below(3) == 0 {
            let at = below(text.len());
            text[at] = below(256) as u8;
        }
        let answer = exchange(game.port(), &text);
        let known = ["200", "400", "403", "404", "413", "422", "none"];
        assert!(
            known.contains(&status(&answer)),
            "seed {seed}, case {case}: {answer}"
        );
    }
    drop(idle);
    let play = format!("POST /{}/play", game.token());
    let answer = request(&game, &play, "", "{\"moves\":[]}");
    assert!(
        answer.contains("\"greeting\":\"You are the system"),
        "{answer}"
    );
}
