//! What is said of plans and job lines that are wrong, and what the right ones mean.

use super::{folder, respin, stderr, stdout, write};

const DESIGN: &str = "module m(input a, output y); assign y = a; endmodule\n";

fn check_refused(name: &str, plan: &str, expected: &str) {
    let folder = folder(name);
    write(&folder.join("m.v"), DESIGN);
    write(&folder.join("plan.toml"), plan);
    let output = respin(&folder, &["campaign", "plan.toml"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    assert!(!folder.join("plan.results").exists());
}

#[test]
fn a_misspelt_key_is_shown_where_it_stands() {
    let plan = "[[set]]\ncomand = \"verify\"\ndesigns = [\"m.v\"]\n";
    check_refused("misspelt", plan, "plan.toml:2:1");
}

#[test]
fn a_wrong_option_of_a_job_is_refused_before_anything_runs() {
    let plan = "[[set]]\ndesigns = [\"m.v\"]\noptions = [\"--resett\", \"rst\"]\n";
    check_refused("option", plan, "unexpected argument '--resett' found");
}

#[test]
fn a_job_writes_no_files() {
    for option in ["--html", "--vcd", "--workdir"] {
        let plan = format!("[[set]]\ndesigns = [\"m.v\"]\noptions = [\"{option}\", \"x\"]\n");
        check_refused("writes", &plan, "jobs write none but results");
    }
    let plan = "[[set]]\ncommand = \"repair\"\ndesigns = [\"m.v\"]\noptions = [\"--write\"]\n";
    check_refused("writes", plan, "jobs write none but results");
}

#[test]
fn an_option_that_would_mean_nothing_is_refused() {
    for option in ["--quiet", "-q", "-v", "--force", "--color=never"] {
        let command = "command = \"repair\"";
        let plan = format!("[[set]]\n{command}\ndesigns = [\"m.v\"]\noptions = [\"{option}\"]\n");
        check_refused("overruled", &plan, "plan.toml:4:12");
    }
}

/// A folder with files in it is somebody else's, however it is called.
#[test]
fn results_do_not_go_beside_the_plan() {
    for name in [".", "./", "sub/.."] {
        let folder = folder("beside");
        std::fs::create_dir(folder.join("sub")).expect("a folder");
        write(&folder.join("m.v"), DESIGN);
        let plan = format!("results = {name:?}\n[[set]]\ndesigns = [\"m.v\"]\n");
        write(&folder.join("plan.toml"), &plan);
        let output = respin(&folder, &["campaign", "plan.toml"]);
        let said = stderr(&output);
        assert!(said.contains("is not the results folder"), "{said}");
        assert!(!folder.join("jobs.jsonl").exists(), "{name}");
    }
}

#[test]
fn a_pattern_without_files_is_refused() {
    let plan = "[[set]]\ndesigns = [\"blocks/*.v\"]\n";
    check_refused("no-files", plan, "no file is called `blocks/*.v`");
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let folder = folder("foreign");
    write(&folder.join("m.v"), DESIGN);
    write(
        &folder.join("plan.toml"),
        "results = \"mine\"\n[[set]]\ndesigns = [\"m.v\"]\n",
    );
    std::fs::create_dir(folder.join("mine")).expect("a folder");
    write(&folder.join("mine/notes.txt"), "mine\n");
    let output = respin(&folder, &["campaign", "plan.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("is not the results folder"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_line_that_is_no_job_is_refused() {
    let folder = folder("line");
    let output = respin(&folder, &["campaign", "--job", "{}", "--results", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("R0023"), "{}", stderr(&output));
}

#[test]
fn a_file_that_has_changed_since_the_plan_is_not_used() {
    let folder = folder("changed");
    write(&folder.join("m.v"), DESIGN);
    write(&folder.join("p.ltl"), "assert same: G (y == a);\n");
    let plan = "[[set]]\ndesigns = [\"m.v\"]\nproperties = [\"p.ltl\"]\n";
    write(&folder.join("plan.toml"), plan);
    let line = stdout(&respin(&folder, &["campaign", "plan.toml", "--list"]));
    write(&folder.join("m.v"), &DESIGN.replace("= a", "= !a"));
    let output = respin(
        &folder,
        &["campaign", "--job", line.trim(), "--results", "out"],
    );
    assert!(
        stdout(&output).contains("planned with"),
        "{}",
        stdout(&output)
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn project_files_lists_and_projects_of_symbiyosys_are_designs() {
    let folder = folder("designs");
    for name in ["one", "two"] {
        std::fs::create_dir(folder.join(name)).expect("a folder");
        write(&folder.join(name).join("m.v"), DESIGN);
        write(
            &folder.join(name).join("p.ltl"),
            "assert same: G (y == a);\n",
        );
        let project = "files = [\"m.v\"]\nproperties = [\"p.ltl\"]\n";
        write(&folder.join(name).join("respin.toml"), project);
    }
    write(&folder.join("all.f"), "one/m.v\n");
    let asserted = DESIGN.replace("endmodule", "always @* assert (y == a); endmodule");
    write(&folder.join("asserted.sv"), &asserted);
    let sby = "[options]\nmode prove\n[script]\nread -formal asserted.sv\nprep -top m\n[files]\nasserted.sv\n";
    write(&folder.join("task.sby"), sby);
    let plan = "[[set]]\nname = \"projects\"\ndesigns = [\"*/respin.toml\"]\n\
                [[set]]\nname = \"list\"\ndesigns = [\"all.f\"]\nproperties = [\"one/p.ltl\"]\n\
                [[set]]\nname = \"sby\"\ndesigns = [\"*.sby\"]\n\
                [[set]]\ncommand = \"mutate\"\ndesigns = [\"one/m.v\"]\n\
                properties = [\"{folder}/p.ltl\"]\nmatrix = { part = [\"1/2\", \"2/2\"] }\n";
    write(&folder.join("plan.toml"), plan);
    let output = respin(&folder, &["campaign", "plan.toml"]);
    let text = stdout(&output);
    assert!(
        text.starts_with("PASS\nall 6 jobs are as wanted\n"),
        "{text}{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(0));
}
