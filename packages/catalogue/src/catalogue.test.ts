import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue, CATALOGUE_MARK, inertJson } from "./catalogue.js";
import type { CatalogueData } from "./model.js";

const assets = { script: 'console.log("hi")', style: "body{margin:0}" };
const empty: CatalogueData = {
  overview: {
    project: "p",
    countsTokens: false,
    tools: [],
    unknown: [],
    lists: [],
    findings: { total: 0, counts: { error: 0, warning: 0, info: 0 }, listed: [] },
    policies: [],
    flows: [],
  },
  tools: [],
  files: {},
};

const pageOf = (data: CatalogueData): string => catalogue(data, assets)[0]?.text ?? "";

test("the content security policy admits the page's own script and style, and nothing else", () => {
  const page = pageOf(empty);
  const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/u.exec(page)?.[1];
  expect(policy?.split("; ")).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hashOf(assets.script)}'`,
    `style-src 'sha256-${hashOf(assets.style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(page).toMatch(CATALOGUE_MARK);
});

test("data of any kind stays inside its block, and a parser reads the same", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("</script", "<!--", "<script>", ">", "\u202e", "\u2028", "&lt;", '"', "\\"))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.dictionary(texts, texts), (value) => {
      const json = inertJson(value);
      expect(json).not.toMatch(/[<>&\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("the program of the page makes text nodes, and never markup or code from a text", () => {
  const folder = join(import.meta.dirname, "app");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(10);
  const waysToMarkup =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|setHTML|\beval\b|new Function|javascript:/u;
  const offenders = sources.filter((path) => waysToMarkup.test(readFileSync(join(folder, path), "utf8")));
  expect(offenders).toEqual([]);
});

test("colours and sizes stand in one file", () => {
  const style = readFileSync(join(import.meta.dirname, "styles/app.css"), "utf8");
  expect(style.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl|\blight-dark\(/gu)).toBeNull();
  const tokens = readFileSync(join(import.meta.dirname, "styles/tokens.css"), "utf8");
  const declared = new Set([...tokens.matchAll(/(--[\w-]+):/gu)].map(([, name]) => name));
  const used = [...style.matchAll(/var\((--[\w-]+)/gu)].map(([, name]) => name);
  expect(used.filter((name) => !declared.has(name))).toEqual([]);
  expect([...declared].filter((name) => !used.includes(name))).toEqual([]);
});
