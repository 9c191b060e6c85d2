import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { compile } from "hasp";
import { afterAll, describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import PACKAGES from "../packages/hasp/scripts/packages.json" with { type: "json" };
import { createProject, plan, type GeneratedProject } from "./generated/generated-project.js";
import { blocksOf } from "./guides/guide.js";

const root = resolve(import.meta.dirname, "..");
const docs = "packages/hasp/docs";
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...PACKAGES.map((name) => `packages/${name}/README.md`),
  ...readdirSync(join(root, docs), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `${docs}/${path.replaceAll("\\", "/")}`),
];

const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

/** The blocks of code of a page in one language. */
const blocksIn = (page: string, language: string): readonly string[] =>
  blocksOf(textOf(page)).flatMap((block) => (block.language === language ? [block.text] : []));

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): readonly string[] {
  const headings = [
    ...textOf(page)
      .replaceAll(/^```[\s\S]*?^```$/gm, "")
      .matchAll(/^#+ (.*)$/gm),
  ];
  return headings.map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe.each(pages)("%s", (page) => {
  test("links to what exists", () => {
    const links = [
      ...textOf(page)
        .replaceAll(/^```[\s\S]*?^```$/gm, "")
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].map(([, link = ""]) => link);
    const broken = links
      .filter((link) => !link.startsWith("https://"))
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : relative(root, join(root, dirname(page), path));
        return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
      });
    expect(broken).toEqual([]);
  });

  test("shows YAML that is YAML", () => {
    for (const block of blocksIn(page, "yaml")) expect(parseDocument(block).errors, block).toEqual([]);
  });
});

describe("the README's first steps", async () => {
  const [spec = ""] = blocksIn("README.md", "yaml");
  const result = await compile([{ uri: "specs/find_orders.tool.yaml", role: "spec", text: spec }], plan);
  let project: GeneratedProject | undefined;
  afterAll(() => project?.remove());

  test("the spec lacks nothing but its two approvals", () => {
    const found = result.diagnostics.filter(({ severity }) => severity !== "info");
    expect(found.map(({ code }) => code)).toEqual(["ledger/not-approved", "ledger/not-approved"]);
  });

  test("the loops type-check with the providers' own packages", () => {
    project = createProject(result);
    const snippets = blocksOf(textOf("README.md")).flatMap(({ language, path, text }) =>
      language === "ts" && path === "" ? [text] : [],
    );
    expect(snippets.length).toBeGreaterThan(1);
    for (const [index, snippet] of snippets.entries()) project.write(`src/loop-${index}.ts`, snippet);
    expect(project.typeErrors()).toBe("");
  });
});

test("what the packages' READMEs show type-checks", async () => {
  const project = createProject(await compile([], plan));
  try {
    for (const name of PACKAGES) {
      const snippets = blocksIn(`packages/${name}/README.md`, "ts");
      expect(snippets.length, name).toBe(1);
      project.write(`src/${name}.ts`, snippets.join(""));
    }
    expect(project.typeErrors()).toBe("");
  } finally {
    project.remove();
  }
});

test("the README's table has every command, and no other", () => {
  const [, section = ""] = textOf("README.md").split("## Commands\n");
  const table = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `hasp "));
  const named = table.flatMap((row) => Array.from(row.matchAll(/`hasp ([a-z]+)/gu), ([, name = ""]) => name));
  const documented = textOf(`${docs}/reference/commands.md`).matchAll(/^## hasp ([a-z]+)$/gmu);
  expect([...new Set(named)].toSorted()).toEqual(Array.from(documented, ([, name = ""]) => name).toSorted());
});

test("the README says where each library is used, and names no other", () => {
  const manifest = (path: string): Readonly<Record<string, Readonly<Record<string, string>>>> =>
    JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, Record<string, string>>;
  const { dependencies, devDependencies, peerDependencies } = manifest("packages/hasp/package.json");
  const own = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  const tools = Object.keys(manifest("package.json")["devDependencies"] ?? {});
  const [, section = ""] = textOf("README.md").split("## Built on\n");
  const named = Array.from((section.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \|/gmu), ([, name = ""]) => name);
  const libraries = [...own.filter((name) => !name.startsWith("@hasp/")), ...tools].filter(
    (name) => !name.startsWith("@types/"),
  );
  expect(named.toSorted()).toEqual([...new Set(libraries)].toSorted());
});
