// Letters that run from right to left move digits, quotes and commas beside them, unless a page isolates them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { createAnswerHandler, createAnswerLink } from "@hasp/stores/answer-links";
import { hasp, minimalSpec, project } from "../cli/command-line.js";
import { type Browser, hasChromium, startChromium } from "./chromium.testing.js";

const SECRET = "a secret of more than thirty-two characters";

/** Words whose letters join no neighbour, so that each has a width of its own. */
const WORDS = ["אבג", "דהו", "א", "ادر", "و", "ورد"];
const atom = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom("a", "to", "1", "20", "١٢", "-", "/", ".", ",", ":", " "),
);
const texts = fc.array(
  fc.array(atom, { minLength: 2, maxLength: 12 }).map((atoms) => atoms.join("")),
  {
    minLength: 80,
    maxLength: 80,
  },
);

/** Returns the characters of each line in the order in which a reader's eye meets them, from left to right. */
async function readAsDrawn(page: Page, selector: string): Promise<readonly string[]> {
  return page.locator(selector).evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const lines: { left: number; text: string }[][] = [[]];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? "";
      for (let index = 0; index < text.length; index += 1) {
        if (text[index] === "\n") {
          lines.push([]);
          continue;
        }
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        lines.at(-1)?.push({ left: range.getBoundingClientRect().left, text: text[index] ?? "" });
      }
    }
    return lines.map((line) =>
      line
        .toSorted((a, b) => a.left - b.left)
        .map(({ text }) => text)
        .join(""),
    );
  });
}

/** The line as it must be drawn: every run of words, a blank between two of them, is read from right to left. */
function turnWords(line: string): string {
  const word = String.raw`[\u05d0-\u05ea\u0621-\u064a]+`;
  return line.replaceAll(new RegExp(`${word}(?: ${word})*`, "gu"), (run) => Array.from(run).toReversed().join(""));
}

describe.skipIf(!hasChromium)("text from right to left in Chromium (skipped where it is not installed)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => browser?.close());

  async function openQuestion(input: object): Promise<Page> {
    const pay = buildTool({
      name: "pay",
      description: "Pays.",
      input: { type: "object", additionalProperties: true },
      execute: () => "paid",
    });
    const durable = durableCalls({ store: memoryCallStore(), principal: "ann, 1 אבג, 2" });
    const turns = createDispatcher({ tools: [pay], extensions: [durable] }).use(durable);
    const outcome = await turns.run([{ id: "1", name: "pay", input: input as never }], { turnId: "t" });
    const [question] = outcome.status === "waiting" ? outcome.questions : [];
    if (question === undefined) throw new Error("nobody was asked");
    const link = await createAnswerLink(question, { url: "https://host.example/answers", secret: SECRET });
    const response = await createAnswerHandler({ turns, secret: SECRET })(new Request(link));
    const file = join(project(), "page.html");
    writeFileSync(file, await response.text());
    return browser.open(pathToFileURL(file).href);
  }

  test.each([
    { accounts: ["אבג", "דהו"], amounts: { אבג: 100, דהו: 9000 } },
    { list: ["א", 1, 20] },
    { path: "/srv/ا/2024/01" },
    { sums: ["١", "٢"], all: "١, ٢ 3" },
    { אבג: 1, b: "דהו", c: [9000, "ا"] },
  ])("the answer page draws an input in the order of its text: %j", async (input) => {
    const page = await openQuestion(input);
    const lines = await readAsDrawn(page, "pre");
    expect(lines).toEqual((await page.locator("pre").textContent())?.split("\n").map(turnWords));
    expect((await page.locator("pre").textContent())?.replaceAll(/\s/gu, "")).toBe(
      JSON.stringify(input).replaceAll(/\s/gu, ""),
    );
    await page.close();
  });

  test("the answer page draws whatever mixes both directions in the order of its text", async () => {
    const [inputs = []] = fc.sample(texts, 1);
    const page = await openQuestion({ inputs });
    const text = (await page.locator("pre").textContent()) ?? "";
    expect(JSON.parse(text)).toEqual({ inputs });
    expect(await readAsDrawn(page, "pre")).toEqual(text.split("\n").map(turnWords));
    expect(await readAsDrawn(page, "dd:nth-of-type(3)")).toEqual([turnWords("ann, 1 אבג, 2")]);
    await page.close();
  });

  test("the catalogue draws whatever mixes both directions in the order of its text", async () => {
    const [inputs = []] = fc.sample(texts, 1);
    const description = `Reads ${inputs.slice(0, 8).join("; ")}`.replaceAll(/\s+/gu, " ");
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
      "specs/read.tool.yaml": minimalSpec("read").replace(
        /description: >-\n.*/u,
        `description: ${JSON.stringify(description)}`,
      ),
    });
    expect(await hasp(folder, ["catalogue"])).toMatchObject({ code: 0 });
    const page = await browser.open(`${pathToFileURL(join(folder, "catalogue/index.html")).href}#/tool/read`);
    await page.locator(".prose").evaluate((prose) => void prose.style.setProperty("white-space", "pre"));
    expect(await readAsDrawn(page, ".prose")).toEqual([turnWords(description)]);
    await page.close();
  });
});
