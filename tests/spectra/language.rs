//! Small specifications as users write them, against an explicit reading.

use crate::runs::{Judge, Run, Step, parse, random, shrink};
use respin::bdd::Limits;
use respin::synth::gr1;

/// Compares a specification with a reading of its runs. A run has a row for each step, with
/// the declared variables in their order; arrays count element by element.
fn check(text: &str, reading: &dyn Fn(&Run) -> bool) {
    let spec = parse(text);
    let mut judge = Judge::new(&spec);
    let domains = judge.domains();
    let mut random = random();
    let mut verdicts = [0, 0];
    for _ in 0..20_000 {
        let run = Run::random(&mut random, &domains);
        let wanted = reading(&run);
        verdicts[usize::from(wanted)] += 1;
        if judge.keeps(&run) != wanted {
            let run = shrink(run, &mut |run| judge.keeps(run) != reading(run));
            panic!("{text}: should be {} on {run}", reading(&run));
        }
        if verdicts.iter().all(|count| *count > 200) {
            return;
        }
    }
    assert!(
        verdicts.iter().all(|count| *count > 10),
        "{text}: {verdicts:?}"
    );
}

/// Whether something holds in all steps, each with the steps up to it and the next one.
fn always(run: &Run, holds: &dyn Fn(&[Step], &[i64]) -> bool) -> bool {
    // The past is seen often enough from here on: cycles are short.
    let length = run.prefix.len() + 12 * run.cycle.len();
    let steps: Vec<Step> = (0..=length).map(|at| run.at(at).clone()).collect();
    (0..length).all(|at| holds(&steps[..=at], &steps[at + 1]))
}

fn recurs(run: &Run, holds: &dyn Fn(&[i64]) -> bool) -> bool {
    run.cycle.iter().any(|step| holds(step))
}

fn realizable(text: &str) -> bool {
    let answer = gr1::solve(&parse(text), Limits::default()).expect("no limits");
    let verdict = answer.unwrap_or_else(|flaw| panic!("{text}: {}", flaw.0));
    verdict.is_realizable()
}

#[test]
fn keywords_have_long_and_short_forms() {
    for (keywords, kind) in [
        (["ini", "initially", ""].as_slice(), 0),
        (["G", "trans", "alw", "always"].as_slice(), 1),
        (["GF", "alwEv", "alwaysEventually"].as_slice(), 2),
    ] {
        for keyword in keywords {
            for side in ["asm", "assumption", "gar", "guarantee", "gar named:"] {
                let text = format!("env boolean x; sys boolean y; {side} {keyword} x | y;");
                let holds = |step: &[i64]| step[0] + step[1] > 0;
                check(&text, &|run| match kind {
                    0 => holds(run.at(0)),
                    1 => always(run, &|past, _| holds(&past[past.len() - 1])),
                    _ => recurs(run, &holds),
                });
            }
        }
    }
    for (environment, system) in [
        ("env", "sys"),
        ("envvar", "sysvar"),
        ("input", "output"),
        ("in", "out"),
    ] {
        assert!(realizable(&format!(
            "{environment} boolean x; {system} boolean y; gar alw x <-> y;"
        )));
        assert!(!realizable(&format!(
            "{environment} boolean x; {system} boolean y; gar alw x;"
        )));
    }
    assert!(realizable(
        "aux boolean x; auxvar boolean y; gar alw x & y;"
    ));
}

#[test]
fn invariants_are_about_states() {
    // The environment cannot enter a state that its invariant excludes; with `G` it could,
    // and would only then be stuck, too late for the system.
    let rest = "env boolean r; env boolean s; sys boolean g; sys boolean h;
        gar trans next(r) -> next(g); gar trans next(s) -> next(h);
        gar trans !(next(g) & next(h));";
    assert!(realizable(&format!("{rest} asm alw !(r & s);")));
    assert!(!realizable(&format!("{rest} asm G !(r & s);")));
    // A system that starts outside of its invariant has lost, even if the environment
    // cannot move from there.
    let stuck = "sys boolean y; env boolean x; asm G !y; gar ini y;";
    assert!(realizable(&format!("{stuck} gar G !y;")));
    assert!(!realizable(&format!("{stuck} gar alw !y;")));
    // About variables of the other side, it is judged with the step that leaves the state.
    assert!(realizable(
        "env boolean x; sys boolean y; asm alw x; gar alw x | y;"
    ));
    assert!(realizable(
        "env boolean x; sys boolean y; asm alw y -> x; gar alwEv true;"
    ));
    // With next values it is about steps.
    assert!(realizable(
        "env boolean x; sys boolean y; gar alw next(y) <-> next(x);"
    ));
}

#[test]
fn what_recurs_may_speak_of_steps() {
    check(
        "env boolean x; sys boolean y; gar alwEv x & next(y) & !y;",
        &|run| {
            let count = run.cycle.len();
            (0..count).any(|at| {
                let (now, next) = (&run.cycle[at], &run.cycle[(at + 1) % count]);
                now[0] == 1 && now[1] == 0 && next[1] == 1
            })
        },
    );
}

#[test]
fn operators_of_the_past() {
    let last = |past: &[Step], place: usize| past[past.len() - 1][place] == 1;
    let before = |past: &[Step], place: usize| past.len() > 1 && past[past.len() - 2][place] == 1;
    for operator in ["PREV", "Y"] {
        check(
            &format!("env boolean a; sys boolean b; gar G {operator} a -> b;"),
            &|run| always(run, &|past, _| !before(past, 0) || last(past, 1)),
        );
    }
    for operator in ["ONCE", "O"] {
        check(
            &format!("env boolean a; sys boolean b; gar G {operator}(a) -> b;"),
            &|run| {
                always(run, &|past, _| {
                    !past.iter().any(|step| step[0] == 1) || last(past, 1)
                })
            },
        );
    }
    for operator in ["HISTORICALLY", "H"] {
        check(
            &format!("env boolean a; sys boolean b; gar G b -> {operator} a;"),
            &|run| {
                always(run, &|past, _| {
                    past.iter().all(|step| step[0] == 1) || !last(past, 1)
                })
            },
        );
    }
    let since = |past: &[Step], left: usize, right: usize, of: i64| {
        let at = past.iter().rposition(|step| step[right] == of);
        at.is_some_and(|at| past[at + 1..].iter().all(|step| step[left] == of))
    };
    for operator in ["S", "SINCE"] {
        let text =
            format!("env boolean a; env boolean b; sys boolean c; gar G c -> a {operator} b;");
        check(&text, &|run| {
            always(run, &|past, _| since(past, 0, 1, 1) || !last(past, 2))
        });
    }
    for operator in ["T", "TRIGGERED"] {
        let text =
            format!("env boolean a; env boolean b; sys boolean c; gar G c -> a {operator} b;");
        check(&text, &|run| {
            always(run, &|past, _| !since(past, 0, 1, 0) || !last(past, 2))
        });
    }
    check(
        "env boolean a; sys boolean b; gar G next(b) -> !PREV(a) & a;",
        &|run| {
            always(run, &|past, next| {
                next[1] == 0 || !before(past, 0) && last(past, 0)
            })
        },
    );
}

#[test]
fn previous_steps() {
    // With next values, it is about the step that led here.
    let text = "env boolean a; sys boolean b; define rises := !a & next(a);
        gar G PREV(rises) -> b;";
    check(text, &|run| {
        always(run, &|past, _| {
            let (count, now) = (past.len(), &past[past.len() - 1]);
            let rose = count > 1 && past[count - 2][0] == 0 && now[0] == 1;
            !rose || now[1] == 1
        })
    });
}

#[test]
fn the_first_step() {
    check("env boolean a; sys boolean b; gar a -> next(b);", &|run| {
        run.at(0)[0] == 0 || run.at(1)[1] == 1
    });
}

#[test]
fn values_of_enumerations_are_in_order() {
    let domain = "type Speed = {LOW, HIGH, TOP}; type Speed = {LOW, HIGH, TOP};";
    let text = format!(
        "{domain} env Speed x; sys Speed y; gar G next(y) <= x & y < TOP & HIGH >= y | x > y;"
    );
    check(&text, &|run| {
        always(run, &|past, next| {
            let now = &past[past.len() - 1];
            let (x, y) = (now[0], now[1]);
            next[1] <= x && y < 2 || x > y
        })
    });
}

#[test]
fn arrays_are_arguments_as_a_whole() {
    let text = "env boolean[2] a; sys boolean b;
        predicate both(boolean[2] p): p[0] & p[1];
        predicate some(boolean[2] p): p.any & !both(p);
        gar G some(a) -> next(b);";
    check(text, &|run| {
        always(run, &|past, next| {
            let now = &past[past.len() - 1];
            now[0] == now[1] || next[2] == 1
        })
    });
}

#[test]
fn a_pattern_is_the_same_under_g() {
    for prefix in ["", "G", "alw"] {
        let text = format!("env boolean a; sys boolean b; gar {prefix} (respondsTo(a, b));");
        check(&text, &|run| {
            let asked = (0..run.length()).rev().find(|at| run.at(*at)[0] == 1);
            let answered = run.cycle.iter().any(|step| step[1] == 1);
            let later = |at: usize| (at..run.length()).any(|at| run.at(at)[1] == 1);
            answered || asked.is_none_or(|at| at < run.prefix.len() && later(at))
        });
    }
}

#[test]
fn numbers_and_their_arithmetic() {
    let text = "env Int(0..3) x; sys Int(-2..4) y;
        gar G y = x - 2 | y * y > 2 * x + 1 & y / 2 != x mod 3 | next(y) = -y;";
    check(text, &|run| {
        always(run, &|past, next| {
            let now = &past[past.len() - 1];
            let (x, y) = (now[0], now[1]);
            y == x - 2 || y * y > 2 * x + 1 && y / 2 != x % 3 || next[1] == -y
        })
    });
    check(
        "define one := 1; type T = Int(one..(one + 2)); sys T y; gar G (y in {1, 3}) & (y not in {2-3});",
        &|run| always(run, &|past, _| past[past.len() - 1][0] == 1),
    );
    check(
        "env boolean x; sys Int(0..3) y; gar G y = ite(x, 1, ite(y > 2, 3, 0)) | y < 1;",
        &|run| {
            always(run, &|past, _| {
                let now = &past[past.len() - 1];
                let chosen = if now[0] == 1 {
                    1
                } else if now[1] > 2 {
                    3
                } else {
                    0
                };
                now[1] == chosen || now[1] < 1
            })
        },
    );
}

#[test]
fn enumerations_and_arrays() {
    // Values are numbered in the order of their first mention.
    let text = "type Colour = {RED, GREEN, BLUE}; sys Colour[2][2] c; env Int(0..1) i;
        gar G c[i][1 - i] = GREEN | c[0][0] = c[1][1];";
    let green = parse(text)
        .terms
        .find_symbol("GREEN")
        .expect("a value")
        .value();
    check(text, &|run| {
        always(run, &|past, _| {
            let now = &past[past.len() - 1];
            let i = now[4] as usize;
            now[2 * i + 1 - i] == green || now[0] == now[3]
        })
    });
    check("sys boolean[3] b; gar G b.any & !b.all;", &|run| {
        always(run, &|past, _| {
            let sum: i64 = past[past.len() - 1].iter().sum();
            (1..3).contains(&sum)
        })
    });
    check(
        "sys Int(0..2)[3] n; gar G n.sum > n.prod & n.max != n.min;",
        &|run| {
            always(run, &|past, _| {
                let now = &past[past.len() - 1];
                let sum: i64 = now.iter().sum();
                let product: i64 = now.iter().product();
                sum > product && now.iter().max() != now.iter().min()
            })
        },
    );
}

#[test]
fn quantifiers_bind_values() {
    check(
        "sys Int(0..2)[3] n; gar G forall i in Int(0..1) . n[i] <= n[i + 1];",
        &|run| always(run, &|past, _| past[past.len() - 1].is_sorted()),
    );
    check(
        "sys boolean[3] b; gar G exists i in Int(0..2) . forall j in Int(0..2) . i = j <-> b[j];",
        &|run| {
            always(run, &|past, _| {
                past[past.len() - 1].iter().sum::<i64>() == 1
            })
        },
    );
    let text = "type Colour = {RED, GREEN}; sys Colour c; sys boolean b; gar G exists x in Colour . x = RED & (c = x | b);";
    let red = parse(text)
        .terms
        .find_symbol("RED")
        .expect("a value")
        .value();
    check(text, &|run| {
        always(run, &|past, _| {
            let now = &past[past.len() - 1];
            now[0] == red || now[1] == 1
        })
    });
}

#[test]
fn definitions_and_predicates() {
    let text = "define limits[2] := {1, 2}; table[2][2] := {{0, 1}, {2, 3}}; busy := x > limits[0];
        env Int(0..3) x; sys Int(0..1) y;
        predicate below(Int(0..3) a, Int(0..3) b) { a < b }
        predicate idle(): !busy;
        gar G idle() | below(table[y][1], x) | next(x) = table[1][y];";
    check(text, &|run| {
        always(run, &|past, next| {
            let now = &past[past.len() - 1];
            let (x, y) = (now[0], now[1]);
            x <= 1 || 2 * y + 1 < x || next[0] == 2 + y
        })
    });
    check(
        "sys boolean a; sys boolean b; gar both{boolean v, Int(0..1) i}: G a = v -> b = (i = 0) | a;",
        &|run| {
            // For a = false, b would have to be true and false.
            always(run, &|past, _| past[past.len() - 1][0] == 1)
        },
    );
}

#[test]
fn patterns_monitors_and_counters() {
    let text = "pattern alternates(p, q) {
            var {FIRST, SECOND} turn;
            ini turn = FIRST;
            G turn = FIRST & p -> next(turn = SECOND);
            G turn = SECOND & q -> next(turn = FIRST);
            G !(turn = FIRST & p) & !(turn = SECOND & q) -> next(turn) = turn;
            alwEv turn = FIRST;
        }
        env boolean x; env boolean y; gar alternates(x, y);";
    check(text, &|run| {
        // Not for ever behind an x without a y.
        recurs(run, &|step| step[1] == 1) || {
            let mut waits = false;
            (0..run.length()).for_each(|at| {
                let step = run.at(at);
                waits = if waits { step[1] == 0 } else { step[0] == 1 };
            });
            !waits
        }
    });
    check(
        "env boolean x; sys boolean y; monitor boolean seen { ini !seen; G next(seen) = (seen | x); } gar G y -> seen;",
        &|run| {
            always(run, &|past, _| {
                let seen = past[..past.len() - 1].iter().any(|step| step[0] == 1);
                seen || past[past.len() - 1][1] == 0
            })
        },
    );
    check(
        "env boolean x; sys boolean y; monitor boolean both { alw both <-> x & y; } gar alwEv both;",
        &|run| recurs(run, &|step| step[0] == 1 && step[1] == 1),
    );
    for (overflow, end) in [("keep", 2), ("modulo", 0)] {
        let text = format!(
            "env boolean up; env boolean down; sys boolean y;
             counter c(0..2) {{ c = 1; inc: up & !down; dec: down & !up; overflow: {overflow}; }}
             gar G y -> c = 2;"
        );
        check(&text, &|run| {
            always(run, &|past, _| {
                let count =
                    past[..past.len() - 1]
                        .iter()
                        .fold(1, |count, step| match (step[0], step[1]) {
                            (1, 0) if count == 2 => end,
                            (1, 0) => count + 1,
                            (0, 1) => (count - 1).max(0),
                            _ => count,
                        });
                count == 2 || past[past.len() - 1][2] == 0
            })
        });
    }
    check(
        "env boolean x; env boolean z; counter c(0..3) { reset: z; inc: x & !z; overflow: false; } gar G c < 3;",
        &|run| {
            always(run, &|past, _| {
                let resets = past[..past.len() - 1].iter().rposition(|step| step[1] == 1);
                let since = &past[resets.map_or(0, |at| at + 1)..past.len() - 1];
                since.iter().filter(|step| step[0] == 1).count() < 3
            })
        },
    );
}

#[test]
fn logic_binds_as_in_the_language() {
    // An equivalence binds tighter than an implication.
    check(
        "sys boolean a; sys boolean b; sys boolean c; gar G a -> b <-> c;",
        &|run| {
            always(run, &|past, _| {
                let now = &past[past.len() - 1];
                now[0] == 0 || now[1] == now[2]
            })
        },
    );
    check(
        "sys boolean a; sys boolean b; sys boolean c; gar G a xor b or c and !a implies b iff c;",
        &|run| {
            always(run, &|past, _| {
                let now = &past[past.len() - 1];
                let (a, b, c) = (now[0] == 1, now[1] == 1, now[2] == 1);
                !((a ^ b) || c && !a) || b == c
            })
        },
    );
    check(
        "-- a comment\n// another\n/* and\none more */ sys boolean ^in; gar G ^in;",
        &|run| always(run, &|past, _| past[past.len() - 1][0] == 1),
    );
}

/// A word that stands before an operand is a name where no operand follows.
#[test]
fn values_may_be_called_like_operators() {
    let text = "spec Lamp env boolean r; sys {R, Y, G, H, O, S, T, PREV, next} light; \
                gar G (light = Y -> r); gar G (light = H | light = PREV -> Y r & light != next); \
                gar G (light != O);";
    let of = |step: &Step| (step[0] != 0, step[1]);
    check(text, &|run| {
        always(run, &|steps, _| {
            let (r, light) = of(&steps[steps.len() - 1]);
            let before = steps.len() > 1 && of(&steps[steps.len() - 2]).0;
            let first = light != 1 || r;
            let second = ![3, 7].contains(&light) || before;
            first && second && light != 4
        })
    });
}
