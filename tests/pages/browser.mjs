// A browser for tests: Debian's Chromium through its DevTools protocol, and the judge of
// accessibility. What a page says on its console as an error fails the test.
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const home = process.env.RESPIN_BROWSER;
const require = createRequire(path.join(home, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export function check(holds, what) {
  if (!holds) throw new Error(what);
}

/// Calls `use` with a browser that is closed afterwards.
export async function withBrowser(options, use) {
  const folder = mkdtempSync(path.join(tmpdir(), "respin-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(20_000);
  try {
    await use(context);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/// A page whose errors fail, and which may ask nobody but `allowed`.
export async function open(context, address, allowed = address) {
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => { if (message.type() === "error") page.problems.push(message.text()); });
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => {
    const other = !request.url().startsWith(allowed) && !/^(data|blob):/.test(request.url());
    if (other) page.problems.push("asked for " + request.url());
  });
  await page.goto(address);
  return page;
}

export function quiet(page, what) {
  check(page.problems.length === 0, `${what}: ${page.problems.join("; ")}`);
}

/// No rule of accessibility is broken, in light and in dark.
export async function accessible(page, what) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    const told = violations.map((one) => `${one.id} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 200)}`);
    check(violations.length === 0, `${what}, ${colorScheme}: ${told.join("\n")}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}
