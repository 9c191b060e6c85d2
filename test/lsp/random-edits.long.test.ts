import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ResponseError } from "vscode-languageserver-protocol/node";
import { features } from "../../packages/language-server/src/server/features.js";
import { project } from "../cli/command-line.js";
import { check, editorIn, workedExample } from "./projects.testing.js";

/**
 * The time for which documents are edited: a few seconds, or `HASP_LSP_MINUTES=10` with the seed `HASP_FUZZ_SEED`
 * (`random` draws a new one).
 */
const minutes = Number(process.env["HASP_LSP_MINUTES"] ?? "0");
const asked = process.env["HASP_FUZZ_SEED"];
const seed = asked === "random" ? Date.now() : Number(asked ?? "20260101");
/** Edits between two comparisons with a fresh check. */
const EDITS = 12;
const ROUNDS = 10;

/** Draws the same numbers for a seed. */
function createRandom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Texts that somebody might type or paste. */
const SNIPPETS: readonly string[] = [
  ..."a|: |- |\n|\r\n|  |\t|#|\"|'|{|}|[|]|&a |*a|!!str |<<: |---\n|👋🏽|\u2028|\uFEFF|é".split("|"),
  "\nname: read_file",
  "\nbehavior: { requiresPermission: false }",
  "\nconcurrency: { class: READ_ONLY }",
  '\n  $ref: "./common/files.yaml#/$defs/Path"',
  "# hasp-ignore description/duplicate -- because\n",
  "\ntests: [{ input: {}, expect: { invalid: '' } }]",
  "\n    type: string\n    maxLength: 4",
  "custom: judged",
];

test(
  "any edits leave the findings that a fresh check has, and an answer to any question",
  async () => {
    const random = createRandom(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
    const folder = workedExample();
    // A fresh check reads what is open in the editor from a folder of its own.
    const saved = project();
    cpSync(folder, saved, { recursive: true });
    const editor = await editorIn(folder);
    const paths = ["specs", "specs/common", "hasp-ledger", "policies"]
      .flatMap((part) => readdirSync(join(folder, part)).map((name) => `${part}/${name}`))
      .filter((path) => path.endsWith(".yaml"));
    const open = new Set<string>();
    const history: string[] = [];
    const started = performance.now();
    let edits = 0;
    for (let round = 0; minutes > 0 ? performance.now() - started < minutes * 60_000 : round < ROUNDS; round += 1) {
      for (let count = 0; count < EDITS; count += 1) {
        const path = pick(paths);
        if (!open.has(path)) {
          await editor.open(path);
          open.add(path);
        }
        const text = editor.textOf(path);
        const start = random(text.length + 1);
        const kind = random(10);
        // Most edits are undone later, so that the project is nearly right most of the time.
        if (kind < 3) {
          await editor.close(path);
          open.delete(path);
          writeFileSync(join(saved, path), editor.textOf(path));
          history.push(`close ${path}`);
          continue;
        }
        const end = kind < 6 ? start : Math.min(text.length, start + random(kind === 9 ? 400 : 6));
        const insertion = kind === 5 ? "" : pick(SNIPPETS);
        await editor.edit(path, start, end, insertion);
        writeFileSync(join(saved, path), editor.textOf(path));
        history.push(`edit ${path} ${start} ${end} ${JSON.stringify(insertion)}`);
        edits += 1;
      }
      const about = pick(paths);
      const { method } = pick(features);
      const { textDocument, position } = editor.at(about, "", random(editor.textOf(about).length));
      const range = { start: position, end: position };
      const context = { includeDeclaration: true, diagnostics: [] };
      const question = { textDocument, position, range, context, newName: "another_name", tool: "read_file" };
      const refusal = await editor.connection.sendRequest(method, question).then(
        () => undefined,
        (error: ResponseError) => error.code,
      );
      // The only refusal: there is nothing to rename there.
      expect([undefined, -32_803], `${method} ${about} ${JSON.stringify(position)} seed ${seed}`).toContain(refusal);
      await editor.settle(about);
      expect(editor.errors, history.slice(-EDITS).join("\n")).toBe("");
      expect(editor.findings, `seed ${seed}\n${history.slice(-EDITS).join("\n")}`).toEqual(await check(saved));
    }
    expect(edits).toBeGreaterThan(ROUNDS);
  },
  (minutes + 2) * 60_000,
);
