// Every fenced block of a page that is not a guide says after its language what it is, and is held against that: a part of
// a spec is compiled, a configuration checked, a command line read, a template compared. A block that drifts fails with
// its file and line.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "@hasp/compiler/plugin";
import { readPluginShape } from "@hasp/compiler/plugins";
import { testDialect, testHandlerKind } from "@hasp/project/plugin-testing";
import type { JsonValue } from "@hasp/schema";
import { dispatcherConformance } from "@hasp/testing";
import { describe, expect, test } from "vitest";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { blocksOf, commandsOf, type Block } from "../guides/guide.js";
import { knownOptions, problemOfCommand, problemOfMention } from "./command-lines.js";
import { missingPaths, stepsOfCall, stepsOfDiagram, unknownToRuntime, unnamedFolders } from "./diagrams.js";
import { problemsOfConfiguration, problemsOfLedger, type PageFiles, problemsOfPolicy } from "./project-files.js";
import { problemsOfSpec } from "./spec-fragments.js";
import { errorsOfLackingHandler } from "./type-errors.js";

const repository = join(import.meta.dirname, "../..");
const docs = "packages/hasp/docs";
const below = (folder: string): readonly string[] =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
const readmes = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
  ...PACKAGES.map((name) => `packages/${name}/README.md`),
];
/** Guides are followed, by `test/guides`. */
const guides = [`${docs}/start.md`, `${docs}/tools-without-code.md`, ...below(`${docs}/guides`)];
const pages = [...readmes, ...below(docs).filter((page) => !guides.includes(page))];
const everyPage = [...pages, ...guides, ...below(`${docs}/reference`)];
const textOf = (page: string): string => readFileSync(join(repository, page), "utf8");

/** Blocks that another test holds: the READMEs' programs and spec (`docs.test.ts`), and what `pnpm gen` writes. */
function isHeldElsewhere(page: string, { language, path }: Block): boolean {
  // Programs for other engines; `engines.test.ts` type-checks them together.
  if (language === "ts" && path.startsWith("engine ")) return true;
  // What `pnpm demo --durable` prints; `tools-spec/src/demo.test.ts` runs it.
  if (language === "text" && path === "durable-demo") return true;
  // `test/lsp/neovim.slow.test.ts` runs the session.
  if (language === "text" && path === "neovim") return true;
  // `other-languages.test.ts` runs it.
  if (language === "python" && path === "agent.py") return true;
  return readmes.includes(page) && (language === "ts" || (language === "yaml" && page === "README.md"));
}

/** A check of one kind of block; returns the problems. */
type Holder = (block: Block, files: PageFiles) => readonly string[] | Promise<readonly string[]>;

const holders: { readonly [mark: string]: Holder } = {
  "sh ": async (block) =>
    (await Promise.all(commandsOf(block).map(async ({ script }) => problemOfCommand(script)))).filter(
      (problem) => problem !== "",
    ),
  "yaml hasp.config.yaml": ({ text }, files) => problemsOfConfiguration(text, files),
  "yaml policies/support.yaml": (_block, files) => problemsOfPolicy(files),
  // A spec is checked with the configuration of its page.
  "yaml specs/refund_order.tool.yaml": (_block, files) =>
    files.has("hasp.config.yaml") ? [] : ["there is no configuration on this page"],
  // A preset is read with the configuration that names it.
  "yaml presets/strict.yaml": (_block, files) =>
    [...files.values()].some((text) => text.includes("./presets/strict.yaml"))
      ? []
      : ["no configuration of this page names it"],
  "yaml hasp-plugins/rules.yaml": ({ text, path }) =>
    problemsOfConfiguration(`plugins: [./${path}]\n`, new Map([[path, text]])),
  "yaml spec": ({ text }) => problemsOfSpec(text),
  "yaml hasp-ledger/read_page.yaml": ({ text, path }) => problemsOfLedger(text, path),
  "json templates/merge/vscode-settings.json": sameAsFile,
  "text templates/merge/gitattributes": ({ text, path }) =>
    textOf(path).replaceAll("__PATTERN__", "/src/generated/**") === text ? [] : [`${path} says something else`],
  // What `hasp new` puts above a spec, and paths into the package as it is installed.
  "yaml comment": missingSchemas,
  "lua nvim": ({ text }) => (text.includes('"hasp", "lsp", "--stdio"') ? [] : ["it does not start `hasp lsp`"]),
  "js templates/new/plugin/acme.mjs": sameAsFile,
  "js templates/new/plugin/acme-test.mjs": sameAsFile,
  "text templates/stub/handler.ts": sameAsFile,
  "text templates/stub/custom-function.ts": sameAsFile,
  "js dialects": ({ text }) => problemsOfParts(text),
  "js handlerKinds": ({ text }) => problemsOfParts(text),
  "js clients": ({ text }) => problemsOfParts(text),
  // The exports that it uses; `test/runtime/dispatcher-conformance.test.ts` runs the cases in this way.
  "ts conformance": ({ text }) => {
    const [used = ""] = /(?<=const \{)[^}]+/u.exec(text) ?? [];
    const [first = {}] = dispatcherConformance({ run: () => Promise.resolve([]) });
    const missing = used.split(",").filter((key) => !(key.trim() in first));
    return missing.map((key) => `a case has no ${key.trim()}`);
  },
  "text type-error": async ({ text }) =>
    (await errorsOfLackingHandler()).includes(text.trim()) ? [] : ["the type-checker says something else"],
  "text tree": ({ text }) => [
    ...missingPaths(text).map((path) => `there is no ${path}`),
    ...unnamedFolders(text).map((path) => `it does not name ${path}`),
  ],
  "text packages": ({ text }) => problemsOfPackages(text),
  "text life-of-a-call": async ({ text }) => {
    const [shown, real] = [stepsOfDiagram(text).join(" → "), (await stepsOfCall()).join(" → ")];
    return shown === real ? [] : [`it shows ${shown}, and a call goes ${real}`];
  },
  "text abandoned-call": ({ text }) => unknownToRuntime(text).map((word) => `the runtime knows nothing of ${word}`),
};

/** Lists what the drawing of the packages lacks: a package, or a dependency that no arrow allows. */
function problemsOfPackages(drawing: string): readonly string[] {
  const arrows = new Map(
    [...drawing.matchAll(/^(\S+) .*?(?:→ (.*))?$/gmu)].map(([, name = "", to = ""]) => [name, to.split(", ")]),
  );
  const below = (name: string): readonly string[] => [name, ...(arrows.get(name) ?? []).flatMap(below)];
  return readdirSync(join(repository, "packages")).flatMap((name) => {
    if (!arrows.has(name)) return [`it lacks ${name}`];
    const manifest = JSON.parse(textOf(`packages/${name}/package.json`)) as { readonly dependencies?: object };
    return Object.keys(manifest.dependencies ?? {})
      .filter((dependency) => dependency.startsWith("@hasp/"))
      .map((dependency) => dependency.slice("@hasp/".length))
      .filter((dependency) => !below(name).includes("all") && !below(name).includes(dependency))
      .map((dependency) => `${name} depends on ${dependency}`);
  });
}

/** Compiles a spec for each dialect and each handler kind of a plugin. */
async function problemsOfParts(text: string): Promise<readonly string[]> {
  // A page of the repository, not of a user.
  const parts = new Function(`return { ${text.trim().replace(/,$/u, "")} };`)() as Plugin;
  const { dialects = [], clients = [], handlerKinds = [] } = parts;
  const spec = "hasp: 1\nname: find\ndescription: Finds.\ninput: { type: object, properties: {} }\n";
  const queued = `${spec}handler: { acme/queue: { queue: orders } }\n`;
  const failed = await Promise.allSettled([
    ...dialects.map((dialect) => testDialect(dialect, [spec])),
    ...handlerKinds.map((kind) => testHandlerKind(kind, () => ({}), [queued])),
  ]);
  const shape = readPluginShape({ name: "acme", clients: clients as unknown as JsonValue });
  return [
    ...("problem" in shape ? [shape.problem] : []),
    ...failed.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : [])),
  ];
}

function sameAsFile({ text, path }: Block): readonly string[] {
  return textOf(path) === text ? [] : [`${path} says something else`];
}

function missingSchemas({ text }: Block): readonly string[] {
  const paths = [...text.matchAll(/node_modules\/(hasp\/schema\/[\w.-]+)/gu)].map(([, path]) => `packages/${path}`);
  const missing = paths.filter((path) => !existsSync(join(repository, path))).map((path) => `there is no ${path}`);
  return paths.length === 0 ? ["it names no schema"] : missing;
}

describe.each(pages)("%s", (page) => {
  const blocks = blocksOf(textOf(page)).filter((block) => !isHeldElsewhere(page, block));
  const files = new Map(
    blocks.flatMap(({ path, text }): [string, string][] => (path.endsWith(".yaml") ? [[path, text]] : [])),
  );

  test("every block is what it says", async () => {
    for (const block of blocks) {
      const mark = `${block.language} ${block.path}`;
      const holder = holders[mark];
      expect(holder, `${page}:${block.line}: nothing holds a block that is marked "${mark}"`).toBeDefined();
      expect(await holder?.(block, files), `${page}:${block.line} is not what it says`).toEqual([]);
    }
  });
});

test("every command and option that a page mentions is there", async () => {
  const known = await knownOptions();
  const options = new Set([...known.values()].flatMap((own) => [...own]));
  const wrong = everyPage.flatMap((page) =>
    textOf(page)
      .split("\n")
      .flatMap((line, index) =>
        [...line.matchAll(/`([^`]+)`|"(hasp [^"]+)"/gu)].flatMap(([, quoted, mention = quoted ?? ""]) => {
          const option = /^--[a-z-]+/u.exec(mention)?.[0];
          const problem =
            option === undefined
              ? problemOfMention(mention.replaceAll("\\|", "|"), known)
              : options.has(option) || OTHERS.has(option)
                ? ""
                : `no command has ${option}`;
          return problem === "" ? [] : [`${page}:${index + 1}: \`${mention}\`: ${problem}`];
        }),
      ),
  );
  expect(wrong).toEqual([]);
});

test("every guide installs the packages that its programs import", () => {
  const lacking = guides.flatMap((page) => {
    const text = textOf(page);
    const words = [...text.matchAll(/^npm install (.*)$/gmu)].flatMap(([, names = ""]) => names.split(/\s+/u));
    const installed = words.map((word) => word.replace(/(?<=.)@.*$/u, ""));
    const imported = [...text.matchAll(/\b(?:from|import) "((?:@[\w-]+\/)?[\w-]+)[/"]/gu)].map(([, name = ""]) => name);
    return imported.filter((name) => !installed.includes(name)).map((name) => `${page}: ${name}`);
  });
  expect(lacking).toEqual([]);
});

/** Options of other programs. */
const OTHERS: ReadonlySet<string> = new Set([
  "--ctrl-c",
  "--durable",
  "--yes",
  "--node-modules-dir",
  "--splitting",
  "--ssr",
]);

test("the checks find pages that have drifted", async () => {
  expect(
    await problemsOfSpec("concurrency: { rules: [{ when: input.mood == 'read', class: READ_ONLY }] }\n"),
  ).toHaveLength(1);
  expect(await problemsOfSpec("tests: [{ input: { mode: read }, expect: { class: READ_ONLY } }]\n")).toEqual([
    "class is UNSAFE, not READ_ONLY.",
  ]);
  expect(
    await problemsOfSpec("    token: { type: string }   # hasp-ignore naming/vague-name -- no such finding\n"),
  ).toHaveLength(1);
  expect(await problemsOfConfiguration("specs: [specs]\nrulez: {}\n", new Map())).toHaveLength(1);
  expect(problemsOfLedger('approved: [{ claim: "x", why: y }]\n', "hasp-ledger/a.yaml")).not.toEqual([]);
  expect(await problemOfCommand("hasp check --mend")).toContain("--mend");
  expect(await problemOfCommand("hasp chekc")).not.toBe("");
  expect(await problemOfCommand("npx --yes pnpm@1.0.0 start")).not.toBe("");
  expect(problemOfMention("hasp build [--check] [--wach]", await knownOptions())).toContain("--wach");
  expect(missingPaths("packages/hasp  a\n  src/nothing/  b\n")).toEqual(["packages/hasp/src/nothing/"]);
  expect(unnamedFolders("packages/schema  a\n  src/json/  b\n")).toContain("packages/schema/src/validate");
  expect(unnamedFolders("packages/schema  a\n  src/json/  b\n")).not.toContain("packages/schema/src/json");
  expect(stepsOfDiagram("guards then prepare")).toEqual(["guards", "prepare"]);
  expect(unknownToRuntime("`no-such-code` after 2 s")).toEqual(["no-such-code", "2 s"]);
});
