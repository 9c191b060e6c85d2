// An agent that writes specs and reads nothing but what hasp prints.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";
import { SPEC_KEYS } from "@hasp/compiler/model";
import { countTokensExactly } from "../../packages/compiler/src/text/prompt-tokens.js";
import { hasp, haspJson, minimalSpec, project, put, tree, type JsonFinding } from "./command-line.js";

interface Edit {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface EditableFinding extends JsonFinding {
  readonly fix: Edit | null;
}

const CONFIG = "specs: [specs]\ndialects: [mcp]\n";
const TESTED = "tests: [{ input: { id: x }, expect: { class: UNSAFE } }]\n";

/** Applies edits from the last to the first; one that touches another waits for the next round. */
function applyEdits(folder: string, edits: readonly Edit[]): void {
  const files = tree(folder);
  for (const uri of new Set(edits.map((edit) => edit.uri))) {
    let text = files[uri] ?? "";
    let last = Infinity;
    for (const edit of edits.filter((each) => each.uri === uri).toSorted((a, b) => b.start - a.start)) {
      if (edit.end > last) continue;
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
      last = edit.start;
    }
    put(folder, { [uri]: text });
  }
}

describe("hasp check --format json", () => {
  const spec = (name: string): string =>
    minimalSpec(name, TESTED).replace("Read one record", `Read one record of ${name}`);
  const change = (name: string, from: string, to: string): readonly [string, string] => {
    expect(spec(name)).toContain(from);
    return [`specs/${name}.tool.yaml`, spec(name).replace(from, to)];
  };

  test("gives an agent edits with which ten broken specs are clean after two rounds", async () => {
    const broken = Object.fromEntries([
      change("read_a", "description: >-", "desription: >-"),
      change("read_b", "interruptBehavior: block", "interruptBehavior: blok"),
      change("read_c", "maxLength", "maxLenght"),
      change("read_d", "type: string", "type: strng"),
      change("read_e", "maxLength: 100", "enum: [x, y, y]"),
      change("read_f", "{ class: UNSAFE }", "{ clas: UNSAFE }"),
      change("read_g", "Which record.", "Which rec\u200bord."),
      change("read_h", "hasp: 1\n", "hasp: 1\n# hasp-ignore naming/vague-name -- It was vague once.\n"),
      change("read_i", "behavior: { interruptBehavior", "behaviour: { interruptBehaviour"),
      change("read_j", "class: UNSAFE", "class: UNSAVE"),
    ]);
    const folder = project({ "hasp.config.yaml": CONFIG, ...broken });
    const check = async (): Promise<readonly EditableFinding[]> =>
      (await haspJson(folder, ["check"])).diagnostics.filter(
        ({ severity }) => severity !== "info",
      ) as unknown as readonly EditableFinding[];
    const first = await check();
    expect(new Set(first.map(({ uri }) => uri)).size).toBe(10);
    for (let round = 0; round < 2; round += 1) {
      applyEdits(
        folder,
        (await check()).flatMap(({ fix }) => fix ?? []),
      );
    }
    expect(await check()).toEqual([]);
    const clean = Object.fromEntries(Object.keys(broken).map((path) => [path, spec(path.slice(6, 12))]));
    clean["specs/read_e.tool.yaml"] = spec("read_e").replace("maxLength: 100", "enum: [x, y]");
    expect(tree(folder)).toMatchObject(clean);
  });

  test("offers no edit that approves a claim, and none of a text that it does not show", async () => {
    const claims = "concurrency: { class: READ_ONLY }\n";
    const folder = project({
      "hasp.config.yaml": CONFIG,
      "specs/read_a.tool.yaml": minimalSpec("read_a", claims),
    });
    await hasp(folder, ["approve", "read_a", "--yes", "--reason", "It reads."]);
    const [path = "", ledger = ""] =
      Object.entries(tree(folder)).find(([name]) => name.startsWith("hasp-ledger/")) ?? [];
    put(folder, { [path]: ledger.replace("concurrency.class: READ_ONLY", "concurrency.class: READ_ONLI") });
    const { diagnostics } = await haspJson(folder, ["check"]);
    const ledgers = diagnostics.filter(({ code }) => code.startsWith("ledger/")) as unknown as EditableFinding[];
    expect(ledgers.length).toBeGreaterThan(0);
    expect(ledgers.map(({ fix }) => fix)).toEqual(ledgers.map(() => null));
  });
});

describe("hasp show spec --for agents", () => {
  test("prints the format in 1,500 tokens, without a project", async () => {
    const { code, out } = await hasp(project(), ["show", "spec", "--for", "agents"]);
    expect(code).toBe(0);
    expect(countTokensExactly(out)).toBeLessThanOrEqual(1500);
    const optional = ["$schema", "coerce", "visibility", "needs", "providers", "origin"];
    for (const key of Object.keys(SPEC_KEYS).filter((each) => !optional.includes(each))) expect(out).toContain(key);
  });

  test("shows specs that hasp accepts", async () => {
    const { out } = await hasp(project(), ["show", "spec", "--for", "agents"]);
    const [whole = "", handlers = ""] = [...out.matchAll(/```yaml\n([\s\S]*?)```/gu)].map(([, text]) => text);
    const without = whole.replace("cancel_order", "another tool");
    const folder = project({ "hasp.config.yaml": CONFIG, "specs/set_status.tool.yaml": without });
    expect((await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect((await haspJson(folder, ["test"])).code).toBe(0);
    const lines = handlers.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    for (const [index, line] of lines.entries()) {
      put(folder, { [`specs/t${index}.tool.yaml`]: `${minimalSpec(`read_${index}`)}${line}\n` });
    }
    const { diagnostics } = await haspJson(folder, ["check"]);
    const codes = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code));
    // The connections and the properties that they name are missing here; their form is right.
    for (const code of codes) expect(code).toMatch(/^handler\//u);
  });
});

describe("hasp init --for agents", () => {
  test("tells agents how to write specs and never to approve, once, in the file that there is", async () => {
    for (const [files, path] of [
      [{}, "AGENTS.md"],
      [{ "CLAUDE.md": "# Ours\n" }, "CLAUDE.md"],
      [{ "CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "# Ours\n" }, "AGENTS.md"],
    ] as const) {
      const folder = project(files);
      expect((await hasp(folder, ["init", "--for", "agents"])).code).toBe(0);
      const text = readFileSync(join(folder, path), "utf8");
      expect(text.startsWith(path in files ? "# Ours\n\n<!-- hasp: tools -->\n" : "<!-- hasp: tools -->\n")).toBe(true);
      expect(text).toContain("hasp show spec --for agents");
      expect(text).toMatch(/Never approve: do not run `hasp approve`/u);
      await hasp(folder, ["init", "--for", "agents"]);
      expect(readFileSync(join(folder, path), "utf8")).toBe(text);
    }
    expect(Object.keys(tree(project({}))).filter((name) => name.endsWith(".md"))).toEqual([]);
  });
});
