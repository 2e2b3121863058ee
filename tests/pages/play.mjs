// Plays a game that is served, to its end, in two tabs at once. node play.mjs ADDRESS ROLE FOLDER
import { readFileSync } from "node:fs";
import path from "node:path";
import { accessible, check, open, quiet, withBrowser } from "./browser.mjs";

const [address, role, folder] = process.argv.slice(2);

await withBrowser({ acceptDownloads: true }, async (context) => {
  const page = await open(context, address);
  const greeting = page.locator("#greeting");
  await page.waitForFunction(() => /^You are/.test(document.getElementById("greeting").textContent));
  check((await greeting.innerText()).startsWith(`You are the ${role}`), `the role is ${await greeting.innerText()}`);
  const step = () => page.locator("#log > li").count();
  const play = async (tab = page) => {
    const before = await tab.locator("#log > li").count();
    await tab.locator("#go").click();
    await tab.waitForFunction((before) => document.querySelectorAll("#log > li").length > before
      || document.getElementById("problem").textContent, before);
  };
  await page.locator("#marks").check();
  await page.locator("#hints").check();
  for (let turn = 0; turn < 3; turn++) await play();
  check((await step()) === 3, "three moves were made");
  await page.screenshot({ path: path.join(folder, `play-${role}.png`), fullPage: true });
  await accessible(page, `the game of the ${role}`);

  // Another tab begins anew, and what is played there is not seen here.
  const other = await open(context, address);
  await other.waitForFunction(() => /^You are/.test(document.getElementById("greeting").textContent));
  check((await other.locator("#log > li").count()) === 0, "the second tab begins anew");
  await play(other);
  await play(page);
  check((await step()) === 4 && (await other.locator("#log > li").count()) === 1, "tabs do not mix");

  // A page that is loaded again has its play still.
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll("#log > li").length === 4);
  await page.locator("#marks").check();
  await page.waitForTimeout(300);
  await page.locator("#undo").click();
  await page.waitForFunction(() => document.querySelectorAll("#log > li").length === 3);
  await page.getByRole("button", { name: "back to step 0" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#log > li").length === 1);

  // To the end: who makes a move that loses at once has lost, and is told; the move can be
  // taken back. Where no move loses at once, the play goes round.
  for (let turn = 0; turn < 4 && !(await page.locator("#go").isDisabled()); turn++) await play();
  const losing = page.locator(".segments label.losing").first();
  if ((await losing.count()) > 0) {
    const before = await step();
    await losing.click();
    await play();
    if (role === "system") {
      check((await page.locator("#log .lost").count()) === 1, "the end is told");
      check(await page.locator("#go").isDisabled(), "nothing can be played after the end");
      await page.screenshot({ path: path.join(folder, "lost.png"), fullPage: true });
      await page.locator("#undo").click();
      await page.waitForFunction((before) => document.querySelectorAll("#log > li").length === before, before);
      await page.locator(".segments label.losing").first().click();
      await play();
    } else {
      check(/breaks an assumption/.test(await page.locator("#problem").innerText()), "the move is refused");
      check((await step()) === before, "it was not made");
    }
    console.log("LOSING");
  }
  const saved = async (button) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
    return readFileSync(await file.path(), "utf8");
  };
  const vcd = await saved("#save-vcd");
  check(/\$enddefinitions/.test(vcd), "the VCD has a head");
  const moves = await saved("#save-moves");
  check(moves.trim().split("\n").length === (await step()), "a line for each move");
  console.log("MOVES " + JSON.stringify(moves));
  console.log("SAID " + JSON.stringify(await page.locator("#log").innerText()));
  quiet(page, "the game");
  quiet(other, "the second tab");
});
