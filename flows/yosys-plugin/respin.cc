// A pass for Yosys that hands the current design to respin and takes back what it repairs.
//
// Thin on purpose: the design goes out and comes back as JSON, and all work is done by the
// program `respin`. Build it with
//
//     yosys-config --build respin.so respin.cc
//
// and load it with `yosys -m ./respin.so`. Built and tested with Yosys 0.23.

#include "kernel/yosys.h"

#include <fstream>

USING_YOSYS_NAMESPACE
PRIVATE_NAMESPACE_BEGIN

// A text as one word of the shell.
static std::string quoted(const std::string &text)
{
	std::string result = "'";
	for (char symbol : text)
		if (symbol == '\'')
			result += "'\\''";
		else
			result += symbol;
	return result + "'";
}

static bool exists(const std::string &path)
{
	return std::ifstream(path).good();
}

struct RespinPass : public Pass {
	RespinPass() : Pass("respin", "verify or repair the design with respin") {}

	void help() override
	{
		//   |---v---|---v---|---v---|---v---|---v---|---v---|---v---|---v---|---v---|---v---|
		log("\n");
		log("    respin -verify|-repair [options]\n");
		log("    respin -check SPEC [options]\n");
		log("\n");
		log("Hands the top module to respin, with its $assert, $assume, $live, $fair, $cover\n");
		log("and $check cells as properties. The design is flattened and its memories are\n");
		log("mapped to registers in a copy; it needs one clock, and no processes.\n");
		log("\n");
		log("    -verify\n");
		log("        check the properties on all runs.\n");
		log("\n");
		log("    -repair\n");
		log("        find the fault and fix it. The top module is replaced by the repaired\n");
		log("        one, which is flat and made of gates and registers. The log names the\n");
		log("        lines of the source that should be changed.\n");
		log("\n");
		log("    -check SPEC\n");
		log("        ask whether any system can satisfy a specification. The design does not\n");
		log("        matter.\n");
		log("\n");
		log("    -spec FILE\n");
		log("        also read properties from a file; may be given more than once.\n");
		log("\n");
		log("    -top MODULE\n");
		log("        the module to work on, if not the top module of the design.\n");
		log("\n");
		log("    -assert\n");
		log("        produce an error unless the answer is PASS, REPAIRED or REALIZABLE.\n");
		log("\n");
		log("    -timeout SECONDS\n");
		log("        stop after this time.\n");
		log("\n");
		log("    -exe PROGRAM\n");
		log("        the program to run. default: respin, or $RESPIN if that is set.\n");
		log("\n");
	}

	void execute(std::vector<std::string> args, RTLIL::Design *design) override
	{
		std::string mode, spec, top, timeout, more;
		const char *variable = getenv("RESPIN");
		std::string program = variable ? variable : "respin";
		bool must_succeed = false;

		log_header(design, "Executing RESPIN pass.\n");

		size_t argidx;
		for (argidx = 1; argidx < args.size(); argidx++) {
			const std::string &arg = args[argidx];
			bool has_value = argidx + 1 < args.size();
			if (arg == "-verify" || arg == "-repair") {
				mode = arg.substr(1);
				continue;
			}
			if (arg == "-check" && has_value) {
				mode = "check";
				spec = args[++argidx];
				continue;
			}
			if (arg == "-spec" && has_value) {
				more += " --spec " + quoted(args[++argidx]);
				continue;
			}
			if (arg == "-top" && has_value) {
				top = args[++argidx];
				continue;
			}
			if (arg == "-assert") {
				must_succeed = true;
				continue;
			}
			if (arg == "-timeout" && has_value) {
				timeout = " --timeout " + quoted(args[++argidx]);
				continue;
			}
			if (arg == "-exe" && has_value) {
				program = args[++argidx];
				continue;
			}
			break;
		}
		extra_args(args, argidx, design, false);
		if (mode.empty())
			log_cmd_error("One of -verify, -repair and -check is needed.\n");

		if (mode == "check") {
			run(quoted(program) + " check -q" + timeout + " " + quoted(spec), must_succeed);
			return;
		}

		RTLIL::Module *module = top.empty() ? design->top_module() : design->module(RTLIL::escape_id(top));
		if (module == nullptr)
			log_cmd_error("There is no top module; run `hierarchy -top` or say -top.\n");
		if (module->has_processes())
			log_cmd_error("Module %s has processes; run `proc` or `prep` first.\n", log_id(module));
		RTLIL::IdString name = module->name;

		std::string folder = make_temp_dir("/tmp/yosys-respin-XXXXXX");
		std::string before = folder + "/design.json", after = folder + "/repaired.json";
		log_push();
		Pass::call(design, "design -push-copy");
		Pass::call(design, "hierarchy -top " + RTLIL::unescape_id(name));
		Pass::call(design, "flatten");
		Pass::call(design, "memory_map");
		Pass::call(design, "techmap t:$div t:$mod t:$pow");
		Pass::call(design, "opt_clean");
		Pass::call(design, "write_json " + before);
		Pass::call(design, "design -pop");
		log_pop();

		std::string command = quoted(program) + " " + mode + " -q" + timeout + " " + quoted(before) + more +
				      " --top " + quoted(RTLIL::unescape_id(name));
		if (mode == "repair")
			command += " -o " + quoted(after);
		run(command, must_succeed);

		if (mode == "repair" && exists(after)) {
			design->remove(design->module(name));
			Pass::call(design, "read_json " + after);
			RTLIL::Module *repaired = design->module(name);
			if (repaired == nullptr)
				log_error("The repaired netlist has no module %s.\n", log_id(name));
			repaired->set_bool_attribute(ID::top);
			log("Replaced module %s by the repaired one.\n", log_id(name));
		}
		remove_directory(folder);
	}

	// Runs respin, with all that it says in the log.
	static void run(const std::string &command, bool must_succeed)
	{
		log("Running %s\n", command.c_str());
		std::string verdict;
		int code = run_command(command + " 2>&1", [&](const std::string &line) {
			log("respin: %s", line.c_str());
			for (const char *word : {"PASS", "FAIL", "REPAIRED", "NO REPAIR", "UNKNOWN", "REALIZABLE", "UNREALIZABLE"})
				if (line == std::string(word) + "\n")
					verdict = word;
		});
		if (verdict.empty())
			log_error("respin gave no answer (exit code %d).\n", code);
		log("respin: the answer is %s.\n", verdict.c_str());
		if (must_succeed && code != 0)
			log_error("The answer of respin is %s.\n", verdict.c_str());
	}
} RespinPass;

PRIVATE_NAMESPACE_END
