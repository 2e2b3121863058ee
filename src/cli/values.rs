//! Values of options that are more than a word: durations, sizes, definitions, resets.

use crate::repair::Share;
use crate::report::Verdict;
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputPath {
    Stdin,
    File(PathBuf),
}

impl InputPath {
    /// The name that messages use.
    pub fn name(&self) -> String {
        match self {
            InputPath::Stdin => "<stdin>".to_string(),
            InputPath::File(path) => path.display().to_string(),
        }
    }
}

/// `-D NAME[=VALUE]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    pub name: String,
    pub value: Option<String>,
}

/// `--reset SIGNAL[=VALUE][:CYCLES]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    pub signal: String,
    /// The level at which the reset is active.
    pub value: bool,
    pub cycles: u32,
}

pub fn input_path() -> impl TypedValueParser<Value = InputPath> {
    PathBufValueParser::new().map(|path| {
        if path.as_os_str() == "-" {
            InputPath::Stdin
        } else {
            InputPath::File(path)
        }
    })
}

/// Reads a verdict as it is printed, and in the usual spelling of options: `no-repair`.
pub fn verdict() -> impl TypedValueParser<Value = Verdict> {
    let choices = Verdict::ALL.map(|verdict| match verdict {
        Verdict::Repaired => PossibleValue::new("repaired"),
        Verdict::Plausible => PossibleValue::new("plausible"),
        Verdict::NoRepair => PossibleValue::new("no-repair").aliases(["no repair", "no_repair"]),
        Verdict::Pass => PossibleValue::new("pass"),
        Verdict::Fail => PossibleValue::new("fail"),
        Verdict::Realizable => PossibleValue::new("realizable"),
        Verdict::Unrealizable => PossibleValue::new("unrealizable"),
        Verdict::Unknown => PossibleValue::new("unknown"),
    });
    PossibleValuesParser::new(choices).try_map(|text| {
        let text = text.to_uppercase().replace(['-', '_'], " ");
        Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.word() == text)
            .ok_or("not a verdict")
    })
}

/// `90`, `1.5` (seconds), `500ms`, `5s`, `2m`, `1h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a time such as 90, 1.5s, 2m or 1h";
    let (number, unit) = split_unit(text);
    let seconds_per_unit = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(EXPECTED.to_string()),
    };
    let seconds = decimal(number).ok_or(EXPECTED)? * seconds_per_unit;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| "the time is too long")?;
    if duration.is_zero() {
        return Err("the time must be more than zero".to_string());
    }
    Ok(duration)
}

/// `1000000` (bytes), `500K`, `500M`, `1.5G`, `1T`: powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a size such as 1000000, 500M or 2G";
    let (number, unit) = split_unit(text);
    let unit = unit.to_ascii_uppercase();
    let bytes_per_unit = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" => 1u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(EXPECTED.to_string()),
    };
    let bytes = decimal(number).ok_or(EXPECTED)? * bytes_per_unit as f64;
    if bytes < 1.0 {
        return Err("the size must be at least one byte".to_string());
    }
    if bytes >= u64::MAX as f64 {
        return Err("the size is too big".to_string());
    }
    Ok(bytes as u64)
}

/// `--part PART/PARTS`: which part, from 0, and of how many.
pub fn part(text: &str) -> Result<(usize, usize), String> {
    const EXPECTED: &str = "expected a part such as 2/8, from 1/8 to 8/8";
    let (part, parts) = text.split_once('/').ok_or(EXPECTED)?;
    let number = |text: &str| text.parse::<usize>().map_err(|_| EXPECTED.to_string());
    match (number(part)?, number(parts)?) {
        (part, parts) if (1..=parts).contains(&part) => Ok((part - 1, parts)),
        _ => Err(EXPECTED.to_string()),
    }
}

/// `--part PART/PARTS` of a repair: one or some of so many parts.
pub fn share(text: &str) -> Result<Share, String> {
    const EXPECTED: &str = "expected a part such as 2/8, or several such as 2,5/8";
    let (parts, of) = text.split_once('/').ok_or(EXPECTED)?;
    let number = |text: &str| text.parse::<usize>().map_err(|_| EXPECTED.to_string());
    let of = number(of)?;
    let parts = parts.split(',').map(number);
    let parts = parts.collect::<Result<BTreeSet<usize>, String>>()?;
    match parts.iter().all(|part| (1..=of).contains(part)) {
        true => Ok(Share { parts, of }),
        false => Err(EXPECTED.to_string()),
    }
}

/// `-p NAME=NUMBER`
pub fn parameter(text: &str) -> Result<(String, i64), String> {
    const EXPECTED: &str = "expected NAME=NUMBER, such as n=4";
    let (name, value) = text.split_once('=').ok_or(EXPECTED)?;
    let value = value.trim().parse().map_err(|_| EXPECTED)?;
    match name.trim() {
        "" => Err(EXPECTED.to_string()),
        name => Ok((name.to_string(), value)),
    }
}

/// `--chparam NAME=VALUE`
pub fn top_parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_string(), value.to_string()))
        }
        _ => Err("expected NAME=VALUE, such as WIDTH=8".to_string()),
    }
}

pub fn define(text: &str) -> Result<Define, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (text, None),
    };
    if name.is_empty() {
        return Err("expected NAME or NAME=VALUE".to_string());
    }
    Ok(Define {
        name: name.to_string(),
        value,
    })
}

pub fn reset(text: &str) -> Result<Reset, String> {
    let (rest, cycles) = match text.split_once(':') {
        Some((rest, cycles)) => (rest, cycles.parse().unwrap_or(0)),
        None => (text, 1),
    };
    let (signal, value) = match rest.split_once('=') {
        Some((signal, "0")) => (signal, false),
        Some((signal, "1")) => (signal, true),
        Some(_) => return Err("the value of a reset is 0 or 1".to_string()),
        None => (rest, true),
    };
    if cycles == 0 {
        return Err("the number of reset cycles is at least 1".to_string());
    }
    if signal.is_empty() {
        return Err("expected SIGNAL, SIGNAL=VALUE or SIGNAL=VALUE:CYCLES".to_string());
    }
    Ok(Reset {
        signal: signal.to_string(),
        value,
        cycles,
    })
}

/// `NAME`, `NAME=1` or `NAME=0`: a clock, and whether its rising edge counts.
pub fn clock(text: &str) -> Result<(String, bool), String> {
    let (name, rising) = match text.split_once('=') {
        Some((name, "0")) => (name, false),
        Some((name, "1")) => (name, true),
        Some(_) => return Err("the edge of a clock is 1 (rising) or 0 (falling)".to_string()),
        None => (text, true),
    };
    if name.is_empty() {
        return Err("expected NAME or NAME=EDGE".to_string());
    }
    Ok((name.to_string(), rising))
}

fn split_unit(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| character.is_ascii_alphabetic())
        .unwrap_or(text.len());
    text.split_at(end)
}

/// A number without sign or exponent; `f64` alone would take `-1`, `1e9` and `inf`.
fn decimal(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_duration(text: &str, expected_milliseconds: Option<u128>) {
        let parsed = duration(text).ok().map(|time| time.as_millis());
        assert_eq!(parsed, expected_milliseconds, "{text:?}");
    }

    fn check_size(text: &str, expected: Option<u64>) {
        assert_eq!(size(text).ok(), expected, "{text:?}");
    }

    fn check_reset(text: &str, expected: Option<(&str, bool, u32)>) {
        let parsed = reset(text).ok();
        let parsed = parsed
            .as_ref()
            .map(|reset| (reset.signal.as_str(), reset.value, reset.cycles));
        assert_eq!(parsed, expected, "{text:?}");
    }

    #[test]
    fn durations_have_seconds_by_default() {
        check_duration("90", Some(90_000));
        check_duration("1.5", Some(1_500));
    }

    #[test]
    fn durations_take_units() {
        check_duration("500ms", Some(500));
        check_duration("5s", Some(5_000));
        check_duration("2m", Some(120_000));
        check_duration("1h", Some(3_600_000));
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in [
            "", "s", "-5", "+5", "1e9", "inf", "5 s", "5d", "0", "0s", "1.2.3",
        ] {
            check_duration(text, None);
        }
    }

    #[test]
    fn a_duration_too_long_to_store_is_refused() {
        check_duration("99999999999999999999999", None);
    }

    #[test]
    fn sizes_are_bytes_by_default() {
        check_size("1000000", Some(1_000_000));
    }

    #[test]
    fn sizes_take_units_of_1024() {
        check_size("1K", Some(1 << 10));
        check_size("500M", Some(500 << 20));
        check_size("2g", Some(2 << 30));
        check_size("2GiB", Some(2 << 30));
        check_size("2GB", Some(2 << 30));
        check_size("1.5T", Some(3 << 39));
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "G", "-5", "5X", "0", "0.1", "1e3", "99999999999T"] {
            check_size(text, None);
        }
    }

    #[test]
    fn resets_are_active_high_for_one_cycle_unless_said() {
        check_reset("rst", Some(("rst", true, 1)));
        check_reset("top.rst_n=0", Some(("top.rst_n", false, 1)));
        check_reset("rst:3", Some(("rst", true, 3)));
        check_reset("rst=0:2", Some(("rst", false, 2)));
    }

    #[test]
    fn what_is_no_reset_is_refused() {
        for text in ["", "=1", "rst=2", "rst:0", "rst:x", "rst="] {
            check_reset(text, None);
        }
    }

    #[test]
    fn definitions_have_a_name_and_maybe_a_value() {
        let value = |text: &str| define(text).ok().map(|define| define.value);
        assert_eq!(value("WIDTH=8"), Some(Some("8".to_string())));
        assert_eq!(value("FAST"), Some(None));
        assert_eq!(value("=8"), None);
    }
}
