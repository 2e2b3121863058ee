//! Where both parsers disagree, and how the standard decides.

/// The text of `tests/verilog/malformed.rs`, and what the standard says.
const DECIDED: &[(&str, &str)] = &[
    (
        "always-without-event",
        "legal by A.6.2; 9.2.2.1 warns that it never lets time pass. We say that it is no \
         Verilog where we should say that it is not read",
    ),
    (
        "missing-endfunction",
        "not legal by 13.4. We stop earlier, at an `assign` inside of the function, which is \
         legal by 10.6.1 and not read",
    ),
];

pub fn reason(name: &str) -> Option<&'static str> {
    let found = DECIDED.iter().find(|(decided, _)| *decided == name);
    found.map(|(_, reason)| *reason)
}
