import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { compile, readProject, type CompileResult, type Diagnostic, type FlatTool } from "hasp";
import { expect, test } from "vitest";
import { stringify } from "yaml";

/**
 * Golden cases: each folder is a small project that proves one idea, and `expected/` is what must come of it.
 * `UPDATE=1` rewrites `expected/`; read the difference before you commit it.
 *
 * - `diagnostics.txt`: everything that was found (no file: nothing was).
 * - `tools.yaml`: what the compiler understood, as far as it differs from the strictest reading.
 * - `providers/…`: the lists as the providers get them.
 * - whatever else a case already keeps of the emitted files.
 */
const casesFolder = join(import.meta.dirname, "cases");

for (const name of readdirSync(casesFolder).toSorted()) {
  test(name, async () => {
    const folder = join(casesFolder, name);
    const { sources, plan, diagnostics } = await readProject(folder, { unlocked: true, today: "2027-01-01" });
    const result = plan === undefined ? undefined : await compile(sources, plan);
    expectTree(join(folder, "expected"), {
      ...printDiagnostics([...diagnostics, ...(result?.diagnostics ?? [])]),
      ...(result === undefined || result.tools.length === 0 ? {} : { "tools.yaml": printTools(result.tools) }),
      ...printFiles(result, plan?.outDir ?? "", join(folder, "expected")),
    });
  });
}

type Tree = { readonly [path: string]: string };

/** Missing approvals have tests of their own; here they would be in every file. */
const isOfInterest = ({ code, severity }: Diagnostic): boolean => severity !== "info" && !code.startsWith("ledger/");

function printDiagnostics(diagnostics: readonly Diagnostic[]): Tree {
  const lines = diagnostics.filter(isOfInterest).map(({ severity, code, message, help, location, related }) => {
    const others = (related ?? []).map((other) => `\n    see ${placeOf(other.location)}: ${other.message}`);
    return `${placeOf(location)} ${severity} ${code}\n    ${message}${help === undefined ? "" : `\n    help: ${help}`}${others.join("")}\n`;
  });
  return lines.length === 0 ? {} : { "diagnostics.txt": lines.join("") };
}

function placeOf(location: Diagnostic["location"]): string {
  return location === undefined
    ? "(project)"
    : `${location.uri}:${location.range.start.line}:${location.range.start.column}`;
}

function printTools(tools: readonly FlatTool[]): string {
  return tools
    .map((tool) =>
      stringify(
        {
          name: tool.name,
          claims: tool.relaxations.map(({ claim }) => claim),
          worstCase: tool.worstCase,
          rules: tool.rules.map(
            ({ when, class: ofRow }) => `${when.kind === "expression" ? when.javascript : when.name} → ${ofRow}`,
          ),
          input: tool.input.schema,
          ...(tool.output === undefined ? {} : { output: tool.output.schema }),
        },
        { lineWidth: 0, aliasDuplicateObjects: false },
      ),
    )
    .join("---\n");
}

function printFiles(result: CompileResult | undefined, outDir: string, expected: string): Tree {
  const files = (result?.files ?? []).map(({ path, text }) => ({ path: relative(outDir, path), text }));
  const kept = files.filter(({ path }) => /^providers\/.*\.json$/u.test(path) || existsSync(join(expected, path)));
  return Object.fromEntries(kept.map(({ path, text }) => [path, text]));
}

function expectTree(folder: string, actual: Tree): void {
  if (process.env["UPDATE"] === "1") {
    rmSync(folder, { recursive: true, force: true });
    for (const [path, text] of Object.entries(actual)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  const present = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const expected = Object.fromEntries(
    present
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
  );
  expect(actual).toEqual(expected);
}
