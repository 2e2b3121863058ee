// Opens the page of each kind that a folder has: with and without scripts.
// node pages.mjs FOLDER
import { readdirSync } from "node:fs";
import path from "node:path";
import { accessible, check, open, quiet, withBrowser } from "./browser.mjs";

const folder = process.argv[2];
const names = readdirSync(folder).filter((name) => name.endsWith(".html")).sort();
const address = (name) => "file://" + path.join(folder, name);
const picture = (name) => path.join(folder, name.replace(".html", ".png"));

await withBrowser({}, async (context) => {
  for (const name of names) {
    const page = await open(context, address(name));
    const verdict = await page.locator("h1 .verdict").innerText();
    check(/^[A-Z ]+$/.test(verdict), `${name}: the verdict is ${verdict}`);
    await page.waitForTimeout(150);
    await page.screenshot({ path: picture(name), fullPage: true });
    if (name !== "large.html") await accessible(page, name);
    if (name.startsWith("verify")) await waveform(page, name);
    if (name.startsWith("repair")) await corrections(page, name);
    if (name === "large.html") await large(page, context, name);
    quiet(page, name);
    await page.close();
  }
});

await withBrowser({ javaScriptEnabled: false }, async (context) => {
  for (const name of names.filter((name) => name !== "large.html")) {
    const page = await open(context, address(name));
    check((await page.locator("h1 .verdict").innerText()).length > 3, `${name} without scripts`);
    if (/^(verify|repair|explain-un)/.test(name)) {
      const drawn = await page.locator("figure.wave svg:visible").count();
      check(drawn > 0, `${name}: nothing is drawn without scripts`);
      check((await page.locator("button.copy:visible").count()) === 0, `${name}: a button that does nothing`);
    }
    if (name.startsWith("repair")) {
      await page.locator("#choose2").check();
      check(await page.locator("#correction2").isVisible(), `${name}: the second correction without scripts`);
      check(!(await page.locator("#correction1").isVisible()), `${name}: both corrections are shown`);
    }
    await page.screenshot({ path: picture(name).replace(".png", "-plain.png"), fullPage: true });
    await page.close();
  }
});

/// The failing step is marked; the cursor shows values, zoom changes what is drawn.
async function waveform(page, name) {
  const figure = page.locator("figure.wave").first();
  await figure.locator(".tools").waitFor();
  check((await figure.locator("svg .mark, svg .loop").count()) > 0, `${name}: no step is marked`);
  await figure.locator(".lanes").click({ position: { x: 30, y: 60 } });
  check((await figure.locator(".at").count()) > 0, `${name}: the cursor shows no values`);
  const before = await figure.locator(".where-now").innerText();
  await figure.locator(".lanes").press("ArrowRight");
  check((await figure.locator(".where-now").innerText()) !== before, `${name}: the cursor does not move`);
  const width = await figure.locator("svg").getAttribute("width");
  await figure.getByLabel("Zoom in").click();
  check((await figure.locator("svg").getAttribute("width")) !== width, `${name}: zoom does nothing`);
}

/// Choosing the second correction changes the diff, the waveform and the command.
async function corrections(page, name) {
  const seen = async (number) => {
    const panel = page.locator(`#correction${number}`);
    await panel.locator("figure.wave .tools").first().waitFor();
    return { diff: await panel.locator("figure.diff").first().innerText(), pick: await panel.locator(`#pick${number}`).innerText(),
      lanes: await panel.locator(".lane-names").first().innerText() };
  };
  const first = await seen(1);
  await page.locator("#choose2").check();
  const second = await seen(2);
  check(!(await page.locator("#correction1").isVisible()), `${name}: the first correction is still shown`);
  check(first.diff !== second.diff, `${name}: the diff does not follow`);
  check(second.pick.endsWith("--pick 2"), `${name}: the command is ${second.pick}`);
  check(/before/.test(second.lanes) && /after/.test(second.lanes), `${name}: no lanes before and after`);
  await page.locator("#correction2 button[data-from=patch2]").click();
  await page.locator("#correction2 button[data-from=patch2]:has-text('Copied'), #correction2 button[data-from=patch2]:has-text('Selected')").waitFor();
  await page.screenshot({ path: picture(name).replace(".png", "-second.png"), fullPage: true });
}

/// A page of many signals and steps is there at once, and can be moved about in.
async function large(page, context, name) {
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now());
  const figure = page.locator("figure.wave").first();
  await figure.scrollIntoViewIfNeeded();
  await figure.locator(".tools").waitFor();
  check((await figure.locator("svg .mark").count()) === 1, `${name}: the failing step is not drawn at first`);
  const start = Date.now();
  await figure.locator(".all input").check();
  await figure.getByLabel("First step").click();
  for (let turn = 0; turn < 10; turn++) await figure.getByLabel("Later").click();
  const moved = (Date.now() - start) / 12;
  console.log(`${name}: first paint after ${Math.round(paint)} ms, a move of all signals takes ${Math.round(moved)} ms`);
  check(paint < Number(process.env.RESPIN_PAINT ?? 1000), `${name}: first paint after ${paint} ms`);
}
