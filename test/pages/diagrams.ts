import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { GRACE_MS } from "../../packages/runtime/src/dispatch/scheduling/with-timeout.js";

const repository = join(import.meta.dirname, "../..");

/** The paths that a drawn tree names: each line begins with one, below the last that is less indented. */
function drawnPaths(tree: string): readonly string[] {
  const open: { readonly indent: number; readonly path: string }[] = [];
  return tree
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [indent = "", word = ""] = /^(\s*)(\S+)/u.exec(line)?.slice(1) ?? [];
      while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
      const path = join(open.at(-1)?.path ?? "", word);
      open.push({ indent: indent.length, path });
      return path;
    });
}

/** Lists the paths of a drawn tree that do not exist. */
export function missingPaths(tree: string): readonly string[] {
  return drawnPaths(tree).filter((path) => !existsSync(join(repository, path)));
}

/** Lists the packages, and the folders of their sources, that a drawn tree does not name. */
export function unnamedFolders(tree: string): readonly string[] {
  const drawn = drawnPaths(tree).map((path) => path.split("/").slice(0, 4).join("/").replace(/\/$/u, ""));
  const foldersIn = (path: string): readonly string[] =>
    existsSync(join(repository, path))
      ? readdirSync(join(repository, path), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `${path}/${name}`)
      : [];
  const packages = foldersIn("packages");
  return [...packages, ...packages.flatMap((path) => foldersIn(`${path}/src`))].filter(
    (path) => !path.endsWith("/doors") && !drawn.includes(path),
  );
}

/** The steps of a call that a host can watch, by the words of the diagram. */
const STEPS = [
  "prepare",
  "classify",
  "semantic checks",
  "rules",
  "transforms",
  "guards",
  "host's check",
  "executed",
  "post-hooks",
  "settled",
];

/** The steps of a real call in the order in which they came to be, each once. */
export async function stepsOfCall(): Promise<readonly string[]> {
  const seen = new Set<string>();
  const step = <Value>(name: string, value: Value): Value => (seen.add(name), value);
  const tool = buildTool({
    name: "look",
    description: "Look.",
    input: { type: "object", properties: {} },
    prepare: (raw) => step("prepare", raw),
    concurrency: { rules: [{ when: () => step("classify", true), class: "READ_ONLY" }] },
    validate: [() => step("semantic checks", true)],
    execute: () => step("executed", "seen"),
  });
  const dispatcher = createDispatcher({
    tools: [tool],
    permissions: {
      rules: [{ tool: "look", when: () => !step("rules", true), decision: "deny" }],
      check: () => step("host's check", "allow" as const),
    },
    hooks: {
      transform: () => step("transforms", undefined),
      guard: () => step("guards", undefined),
      post: () => step("post-hooks", undefined),
    },
    onEvent: ({ type }) => void (type === "settled" && seen.add("settled")),
  });
  await dispatcher.dispatch([{ id: "1", name: "look", input: {} }]);
  return [...seen];
}

/** The same steps in the order in which a diagram names them first. */
export function stepsOfDiagram(diagram: string): readonly string[] {
  return STEPS.filter((word) => diagram.includes(word)).toSorted((a, b) => diagram.indexOf(a) - diagram.indexOf(b));
}

/** Words in backquotes of which the runtime knows nothing, and a time that is not its own. */
export function unknownToRuntime(diagram: string): readonly string[] {
  const folder = join(repository, "packages/runtime/src");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.includes(".test"),
  );
  const code = sources.map((path) => readFileSync(join(folder, path), "utf8")).join("\n");
  const words = [...diagram.matchAll(/`([\w-]+)(?:\(\w*\))?`/gu)].map(([, word = ""]) => word);
  const times = [...diagram.matchAll(/(\d+) s\b/gu)]
    .filter(([, seconds]) => Number(seconds) * 1000 !== GRACE_MS)
    .map(([time]) => time);
  return [...words.filter((word) => !code.includes(word)), ...times];
}
