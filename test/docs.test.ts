import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { compile } from "hasp";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import PACKAGES from "../packages/hasp/scripts/packages.json" with { type: "json" };
import { createProject, plan } from "./generated/generated-project.js";
import { blocksOf } from "./guides/guide.js";

const root = resolve(import.meta.dirname, "..");
const docs = "packages/hasp/docs";
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
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

test("the page on the supply chain names what each package installs, and none has an install script", () => {
  const text = textOf(`${docs}/supply-chain.md`);
  const manifests = PACKAGES.map(
    (name) =>
      JSON.parse(textOf(`packages/${name}/package.json`)) as Readonly<Record<string, Readonly<Record<string, string>>>>,
  );
  const installed = manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies));
  const foreign = [...new Set(installed)].filter((name) => !name.startsWith("@hasp/"));
  expect(foreign.length).toBeGreaterThan(5);
  expect(foreign.filter((name) => !text.includes(`\`${name.split("/").at(-1) ?? ""}\``))).toEqual([]);
  const scripts = manifests.flatMap((manifest) => Object.keys(manifest["scripts"] ?? {}));
  expect(scripts.filter((name) => /^(?:pre|post)?install$/u.test(name))).toEqual([]);
});

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

test("the README's spec lacks nothing but its three approvals", async () => {
  const [text = ""] = blocksIn("README.md", "yaml");
  const { diagnostics } = await compile([{ uri: "specs/find_orders.tool.yaml", role: "spec", text }], plan);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => "ledger/not-approved"));
});

test("the code in the packages' READMEs type-checks", async () => {
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

test("CONTRIBUTING says what each library does, and names no other", () => {
  const manifest = (path: string): Readonly<Record<string, Readonly<Record<string, string>>>> =>
    JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, Record<string, string>>;
  const packages = readdirSync(join(root, "packages")).map((name) => manifest(`packages/${name}/package.json`));
  const libraries = packages
    .flatMap(({ dependencies, devDependencies, peerDependencies }) => [dependencies, devDependencies, peerDependencies])
    .concat(manifest("package.json")["devDependencies"])
    .flatMap((dependencies) => Object.keys(dependencies ?? {}))
    .filter((name) => !name.startsWith("@hasp/") && !name.startsWith("@types/"));
  const [, section = ""] = textOf("CONTRIBUTING.md").split("## Built on\n");
  const rows = (section.split("\n## ")[0] ?? "").matchAll(/^\| (`[^|]+`) +\|/gmu);
  const named = Array.from(rows, ([, names = ""]) => names.split(", ").map((name) => name.slice(1, -1))).flat();
  expect(named.toSorted()).toEqual([...new Set(libraries)].toSorted());
});

describe("the glossary", () => {
  const rows = textOf(`${docs}/glossary.md`)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const wordsIn = (cell = ""): readonly string[] => cell.split(", ").filter((word) => word !== "");
  const text = pages
    .filter((page) => page !== `${docs}/glossary.md`)
    .map((page) => textOf(page).toLowerCase())
    .join("\n");

  test("has words that the documentation uses", () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.flatMap(([, words]) => wordsIn(words)).filter((word) => !text.includes(word))).toEqual([]);
  });

  test("names other words that no page and no message uses", () => {
    const others = rows.flatMap(([, , , words]) => wordsIn(words));
    const ours = text.replaceAll(/[\w.-]+\/[\w.-]+#\d+/gu, ""); // sources are named as others name them
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((word) => ours.includes(word))).toEqual([]);
  });
});

test("every text by which a call is refused before its handler runs says what to do next", () => {
  const rows = textOf(`${docs}/reference/refusals.md`)
    .split("\n")
    .flatMap((line) => {
      const [, phase = "", code = "", text = ""] = /^\| `(\w+)` \| `([\w-]+)` \| (.*) \|$/u.exec(line) ?? [];
      return phase === "" ? [] : [{ phase, code, text }];
    });
  expect(rows.length).toBeGreaterThan(40);
  // The host, or a part of it, has the last word in these; the words about the effect come before others.
  const isOwn = ({ phase, code }: { readonly phase: string; readonly code: string }): boolean =>
    code !== "denied" && (!["execute", "result"].includes(phase) || code === "no-one-to-execute");
  const next = /\b(?:Send|Call|Correct|Continue|Check|Describe|Do not|Use another|The tools are|If it is)\b/u;
  expect(rows.filter((row) => isOwn(row) && !next.test(row.text))).toEqual([]);
});
