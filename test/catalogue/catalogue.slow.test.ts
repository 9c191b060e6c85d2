import { createServer, type Server } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasp, minimalSpec, project, put } from "../cli/command-line.js";
import { hasChromium, startChromium, type Browser } from "./chromium.testing.js";
import { differingShare, expectScreenshot, TOLERANCE } from "./screenshots.testing.js";
import { shopCatalogue } from "./shop.testing.js";
import { sampleOf } from "../sample.js";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Presses Tab until the focus is where it is wanted. */
async function tabUntil(page: Page, isReached: () => boolean): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate(isReached)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab never leads there");
}

/** Every view of the shop, by the name of its screenshot. */
const VIEWS = {
  overview: "",
  tools: "#/tools",
  tool: "#/tool/refund_order",
  bench: "#/bench/refund_order",
  changes: "#/changes",
  findings: "#/findings",
};

describe.skipIf(!hasChromium)("the catalogue in Chromium (skipped where it is not installed)", () => {
  let browser: Browser;
  let root: string;
  let site: string;
  beforeAll(async () => {
    [browser, root] = await Promise.all([startChromium(), shopCatalogue()]);
    site = pathToFileURL(join(root, "site/index.html")).href;
  });
  afterAll(async () => browser?.close());

  const text = async (page: Page, selector = "main"): Promise<string> => page.locator(selector).innerText();

  test("the overview says what the agent can do, and leads to the tools that it counts", async () => {
    const page = await browser.open(site);
    expect(await page.title()).toBe("@acme/support-agent");
    expect(await text(page, ".lead")).toBe(
      "This agent has 8 tools. 4 only read, 3 may destroy or overwrite something, and 1 runs without asking anybody.",
    );
    const matrix = await page.locator(".matrix tbody tr").allInnerTexts();
    expect(matrix.map((row) => row.split(/\s+/u).join(" "))).toEqual([
      "Only reads 2 release_notes sales_report 1 get_order 1 find_orders",
      "Writes 1 update_address none none",
      "May destroy 2 cancel_order send_message 1 refund_order none",
    ]);
    await page.getByRole("link", { name: "3 may destroy" }).click();
    await page.waitForSelector(".tool-list");
    expect(await page.locator(".tool-list li:visible .name").allInnerTexts()).toEqual([
      "cancel_order",
      "refund_order",
      "send_message",
    ]);
    expect(page.url()).toContain("#/tools?effect=destroys");
    await page.close();
  });

  test("search, filters and the order of tools, each with an address of its own", async () => {
    const page = await browser.open(site);
    const shown = async (): Promise<readonly string[]> => page.locator(".tool-list li:visible .name").allInnerTexts();
    await page.keyboard.press("/");
    await page.keyboard.type("finance");
    await page.waitForSelector(".tool-list");
    expect(await shown()).toEqual(["refund_order", "sales_report"]);
    await page.getByLabel("Effect").selectOption("reads");
    expect(await shown()).toEqual(["sales_report"]);
    expect(await text(page, "[role=status]")).toBe("1 of 8 tools.");
    expect(new URL(page.url()).hash).toBe("#/tools?q=finance&effect=reads");
    await page.reload();
    await page.waitForSelector(".tool-list");
    expect(await shown()).toEqual(["sales_report"]);
    expect(await page.getByLabel("Search tools").inputValue()).toBe("finance");
    await page.goto(`${site}#/tools?sort=tokens`);
    await page.waitForFunction(() => document.querySelectorAll(".tool-list li:not([hidden])").length === 8);
    const tokens = (await page.locator(".tool-list .tokens").allInnerTexts()).map((each) => Number.parseInt(each, 10));
    expect(tokens).toEqual(tokens.toSorted((left, right) => right - left));
    await page.close();
  });

  test("a tool: lines linked both ways, rows with inputs, claims with their approvals, losses, policies", async () => {
    const page = await browser.open(`${site}#/tool/refund_order`);
    const [spec, entry] = [page.getByRole("listbox").nth(0), page.getByRole("listbox").nth(1)];
    await spec.getByText("amount: { type: number").click();
    expect(await entry.locator(".is-lit").first().innerText()).toContain('"amount": {');
    expect(page.url()).toContain("line=0");
    await entry.getByText('"reason": {').click();
    expect(await spec.locator(".is-lit").innerText()).toContain("reason: { enum");
    const main = await text(page);
    expect(main).toContain("Tomas Lind <tomas@acme.example>");
    expect(main).toContain("2026-10-14");
    expect(main).toContain("input.amount <= 20.0 && context.region == 'EU'");
    const rows = await page.getByRole("region", { name: "Decision table" }).locator("tbody tr").allInnerTexts();
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatch(/\{"orderId":/u);
    await page.getByRole("button", { name: "gemini" }).click();
    expect(await page.getByRole("region", { name: "Losses for gemini" }).innerText()).toContain("exclusiveMinimum");
    await page.goto(`${site}#/tool/sales_report`);
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "sales_report");
    expect(await text(page)).toContain("SELECT day, count(*) AS orders");
    await page.close();
  });

  test("the bench answers as `hasp call --dry-run` and the tests of the spec do", async () => {
    const page = await browser.open(`${site}#/bench/refund_order`);
    const judged = async (input: string, policy = ""): Promise<string> => {
      await page.getByLabel("Policy").selectOption(policy);
      await page.getByLabel("Arguments").fill(input);
      await page.waitForFunction(
        (sent) => new URLSearchParams(location.hash.split("?")[1]).get("input") === sent,
        input,
      );
      await page.waitForTimeout(30);
      return text(page, "[aria-label=Result]");
    };
    const small = await judged('{"orderId":"o10234","amount":"12.5","reason":"damaged"}');
    expect(small).toContain("It runs without asking");
    expect(small).toContain("WRITE_EXCLUSIVE");
    expect(small).toMatch(/\/amount "12.5" became 12.5/u);
    expect(await judged('{"orderId":"o10234","amount":900,"reason":"late"}')).toMatch(
      /Somebody is asked first[\s\S]*UNSAFE/u,
    );
    expect(await judged('{"orderId":"o1","amount":-1,"reason":"late"}')).toMatch(
      /The model gets an error[\s\S]*amount/u,
    );
    expect(await judged("{ no json")).toContain("The model gets an error");
    const goodwill = '{"orderId":"o10234","amount":10,"reason":"goodwill"}';
    const region = async (name: string): Promise<string> => {
      await judged(goodwill, "support");
      await page.getByLabel("Context").fill(JSON.stringify({ region: name }));
      await page.waitForTimeout(30);
      return text(page, "[aria-label=Result]");
    };
    expect(await region("EU")).toContain("It runs without asking");
    expect(await region("US")).toContain("Somebody is asked first");
    await page.getByLabel("Somebody can be asked").uncheck();
    await page.waitForTimeout(30);
    expect(await text(page, "[aria-label=Result]")).toContain("It is refused");
    const strict = await judged('{"orderId":"o10234","amount":1,"reason":"late"}');
    expect(strict).toMatch(/openai-responses-strict[\s\S]*"note": null/u);
    await page.close();
  });

  test("changes and findings", async () => {
    const page = await browser.open(`${site}#/changes`);
    const changes = await text(page);
    expect(changes).toContain("requiresPermission was true and is now false");
    expect(changes).toContain('Renamed: "read_order" is now "get_order", and nothing else changed.');
    expect(changes).toContain("About 186 → 190 tokens; in every list.");
    await page.getByRole("link", { name: "Findings" }).click();
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Findings");
    await page.locator(".finding").first().waitFor();
    const all = await page.locator(".finding").count();
    await page.locator('select[name="tool"]').selectOption("release_notes");
    const own = await page.locator(".finding").count();
    expect([own > 0, own < all]).toEqual([true, true]);
    expect(await page.locator(".finding", { hasText: "release_notes" }).count()).toBe(own);
    await page.close();
  });

  test("everything can be done with the keyboard alone", async () => {
    const page = await browser.open(site);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.keyboard.press("/");
    await page.keyboard.type("refund");
    await page.waitForSelector(".tool-list");
    await tabUntil(page, () => document.activeElement?.textContent?.startsWith("refund_order") === true);
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      () => document.activeElement?.tagName === "H1" && document.activeElement.textContent === "refund_order",
    );
    await tabUntil(page, () => document.activeElement?.getAttribute("role") === "listbox");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const active = await page.evaluate(
      () => document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.textContent,
    );
    expect(active).toContain("description");
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+ArrowLeft");
    expect(browser.complaints).toEqual([]);
    await page.close();
  });

  // Colours aside, a view has the same faults in both schemes.
  test.each([
    ["light", { values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], type: "tag" }],
    ["dark", { values: ["color-contrast", "link-in-text-block"], type: "rule" }],
  ] as const)("no view has a fault that axe finds, %s", async (scheme, runOnly) => {
    // The dark scheme changes colours alone.
    const views = Object.entries(VIEWS);
    for (const [name, hash] of scheme === "dark" ? sampleOf(views, (index) => index % 2 === 0) : views) {
      const page = await browser.open(site + hash, { scheme });
      // A content security policy holds for scripts of the page, not for what the debugger evaluates.
      await page.evaluate(axeSource);
      const faults = await page.evaluate(async (rules) => {
        const { axe } = globalThis as unknown as {
          readonly axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        const { violations } = await axe.run({ runOnly: rules });
        return violations.map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map(({ html }) => html)
              .join(" ")}`,
        );
      }, runOnly);
      expect(faults, `${name}, ${scheme}`).toEqual([]);
      await page.close();
    }
  });

  test.each(sampleOf([320, 768, 1440, 2560], (index) => index % 3 === 0))(
    "no view is wider than a window of %i pixels",
    async (width) => {
      const page = await browser.open(site, { width });
      for (const [name, hash] of Object.entries(VIEWS)) {
        await page.goto(site + hash);
        await page.waitForTimeout(50);
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(excess, name).toBeLessThanOrEqual(0);
      }
      await page.close();
    },
  );

  test("a printed page is whole and has no controls", async () => {
    const page = await browser.open(`${site}#/tool/refund_order`, { width: 794 });
    await page.emulateMedia({ media: "print" });
    for (const control of ["header", ".tabs", ".contents", ".button", ".hint"]) {
      expect(await page.locator(control).first().isVisible(), control).toBe(false);
    }
    // Nothing stands in a box that would have to be scrolled.
    const cut = await page.evaluate(
      () =>
        [...document.querySelectorAll(".lines, .scroll, pre")].filter(
          (box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > document.documentElement.clientWidth,
        ).length,
    );
    expect(cut).toBe(0);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect((await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type \/Page\b/gu)?.length).toBeGreaterThan(
      Math.floor(height / 1123) - 1,
    );
    await page.close();
  });

  test("chosen colours are never the only sign, and nothing moves for those who ask for that", async () => {
    const page = await browser.open(`${site}#/tool/refund_order?dialect=gemini&line=0%3A15`);
    await page.emulateMedia({ forcedColors: "active" });
    const outline = async (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(await outline(".tabs [aria-pressed=true]")).toBe("solid");
    expect(await outline(".tabs [aria-pressed=false]")).toBe("none");
    expect(await outline('.lines [aria-selected="true"]')).toBe("solid");
    const borders = await page
      .locator(".bar nav a")
      .evaluateAll((links) => links.map((link) => getComputedStyle(link).borderBottomColor));
    expect(borders.filter((colour) => colour === borders[1])).toHaveLength(1);
    const scrolling = async (reducedMotion: "reduce" | "no-preference"): Promise<string> => {
      await page.emulateMedia({ reducedMotion });
      return page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
    };
    expect([await scrolling("reduce"), await scrolling("no-preference")]).toEqual(["auto", "smooth"]);
    await page.close();
  });

  test("a long list is put on the page as somebody scrolls, and printed whole", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n" });
    const names = Array.from({ length: 250 }, (_, index) => `tool_${String(index).padStart(3, "0")}`);
    put(folder, Object.fromEntries(names.map((name) => [`specs/${name}.tool.yaml`, minimalSpec(name)])));
    await hasp(folder, ["catalogue"]);
    const page = await browser.open(`${pathToFileURL(join(folder, "catalogue/index.html")).href}#/tools`);
    const rows = page.locator(".tool-list li");
    expect(await text(page, "[role=status]")).toBe("250 tools.");
    expect(await rows.count()).toBe(100);
    await page.getByLabel("Search tools").fill("tool_24");
    expect(await rows.locator(".name").allInnerTexts()).toEqual(names.slice(240));
    await page.getByLabel("Search tools").fill("");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForFunction(() => document.querySelectorAll(".tool-list li").length === 200);
    await page.pdf();
    expect(await rows.locator(".name").allTextContents()).toEqual(names);
    await page.close();
  });

  test.each([
    ["overview", VIEWS.overview, {}],
    ["tool", VIEWS.tool, {}],
    ["bench", VIEWS.bench, {}],
    ["changes", VIEWS.changes, {}],
    ["dark", VIEWS.tool, { scheme: "dark" }],
    ["narrow", VIEWS.overview, { width: 360, height: 640 }],
  ] as const)("%s looks as it did", async (name, hash, options) => {
    const page = await browser.open(site + hash, { width: 1000, height: 640, ...options });
    await page.waitForTimeout(100);
    await expectScreenshot(page, name);
    await page.close();
  });

  test("a screenshot in which a word is another one would not pass", async () => {
    const page = await browser.open(site, { width: 1000, height: 640 });
    const before = await page.screenshot();
    await page.locator(".lead").evaluate((lead) => void (lead.textContent = "This agent has 9 tools and asks nobody."));
    expect(differingShare(before, await page.screenshot())).toBeGreaterThan(TOLERANCE);
    await page.close();
  });

  test("hostile names and texts are inert, and their invisible characters are shown", async () => {
    const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- \u202egnp.exe ${"x".repeat(1_000_000)}`;
    const folder = project({
      "package.json": JSON.stringify({ name: "<b>shop</b>\u202e" }),
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, gemini]\n",
      "specs/evil.tool.json": JSON.stringify({
        hasp: 1,
        name: "evil",
        title: "<script>alert(3)</script>",
        description: evil,
        tags: ["<i>tag</i>", "javascript:alert(4)"],
        owner: "\u2066owner\u2069",
        input: {
          type: "object",
          properties: {
            "</script><script>alert(5)</script>": { type: "string", description: evil.slice(0, 200) },
            __proto__x: { const: "\u202e" },
          },
        },
        examples: [{ input: { "</script><script>alert(5)</script>": "<svg onload=alert(6)>" } }],
      }),
    });
    await hasp(folder, ["catalogue"]);
    const address = pathToFileURL(join(folder, "catalogue/index.html")).href;
    for (const hash of [
      "",
      "#/tools",
      "#/tool/evil",
      "#/bench/evil",
      "#/findings",
      "#/tool/<img src=x onerror=alert(7)>",
    ]) {
      const page = await browser.open(address + hash);
      await page.waitForTimeout(50);
      expect(await page.locator("main :is(script, img, svg, b:has(b))").count()).toBe(0);
      if (hash === "#/tool/evil") expect(await text(page)).toContain("U+202E");
      expect(await text(page, ".project")).toBe("<b>shop</b>U+202E");
      expect(await page.title()).toMatch(/(?:^| · )<b>shop<\/b>U\+202E$/u);
      await page.close();
    }
    expect(browser.complaints).toEqual([]);
  });

  test("a project with errors shows what is known, and says what is not", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
      "specs/good.tool.yaml": minimalSpec("good"),
      "specs/bad.tool.yaml": minimalSpec("bad").replace("type: object", "type: objekt"),
    });
    const run = await hasp(folder, ["catalogue", "--base", "./gone"]);
    expect(run.code).toBe(1);
    const page = await browser.open(pathToFileURL(join(folder, "catalogue/index.html")).href);
    expect(await text(page)).toMatch(/1 tool is not shown[\s\S]*bad \(\d+ errors?\)/u);
    await page.goto(`${page.url()}#/tool/bad`);
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Not shown");
    expect(await text(page)).toContain("nobody knows what it may do");
    await page.close();
  });

  test("findings that are not listed are counted, and no page says that there are none", async () => {
    const alike = Array.from({ length: 2005 }, (_, index) => `    p${index}: { type: string, description: Alike. }`);
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\nbudgets: { toolTokens: 100000 }\n",
      "specs/many.tool.yaml": minimalSpec("many").replace("behavior:", `${alike.join("\n")}\nbehavior:`),
      "specs/other.tool.yaml": minimalSpec("other").replace("behavior:", `${alike.slice(0, 2).join("\n")}\nbehavior:`),
    });
    await hasp(folder, ["catalogue"]);
    const page = await browser.open(`${pathToFileURL(join(folder, "catalogue/index.html")).href}#/findings`);
    expect(await text(page)).toContain("2\u{202f}007 findings of hasp check.");
    expect(await text(page)).toContain("7 more findings are not listed here. hasp check --format json prints all.");
    await page.goto(`${page.url().split("#")[0]}#/tool/other`);
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "other");
    expect(await text(page)).toContain("1 more finding is not listed here.");
    await page.close();
  });

  test("a base that is gone is a sentence", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
      "specs/good.tool.yaml": minimalSpec("good"),
    });
    expect((await hasp(folder, ["catalogue", "--base", "./gone"])).code).toBe(1);
    const page = await browser.open(`${pathToFileURL(join(folder, "catalogue/index.html")).href}#/changes`);
    expect(await text(page)).toContain("there is no such folder");
    await page.close();
  });

  test("it works from a server as it does from the disk", async () => {
    const server: Server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(readFileSync(join(root, "site/index.html")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const page = await browser.open(`http://127.0.0.1:${port}/#/tool/find_orders`);
    expect(await text(page, "h1")).toBe("find_orders");
    await page.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

test("the same project gives the same page, and no other file is replaced", async () => {
  const folder = project({
    "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n",
    "specs/good.tool.yaml": minimalSpec("good"),
  });
  const page = join(folder, "catalogue/index.html");
  await hasp(folder, ["catalogue"]);
  const first = readFileSync(page, "utf8");
  expect((await hasp(folder, ["catalogue", "--no-cache"])).code).toBe(0);
  expect(readFileSync(page, "utf8")).toBe(first);
  expect(first).not.toContain(folder);
  writeFileSync(page, "<!doctype html>\n<p>mine");
  const run = await hasp(folder, ["catalogue"]);
  expect(run.code).toBe(2);
  expect(run.out).toContain("is not a catalogue");
  expect(readFileSync(page, "utf8")).toBe("<!doctype html>\n<p>mine");
});
