import { parseSource } from "@hasp/compiler/source";
import { readLedgerFile } from "@hasp/compiler/claims";
import { hasp, haspJson, minimalSpec, project } from "../cli/command-line.js";

/** The files of a page by path. */
export type PageFiles = ReadonlyMap<string, string>;

/** Runs `hasp check` on a configuration; the presets that it names are on the same page. */
export async function problemsOfConfiguration(text: string, files: PageFiles): Promise<readonly string[]> {
  const folder = project({
    ...Object.fromEntries(files),
    "hasp.config.yaml": text,
    "specs/legacy/process_data.tool.yaml": minimalSpec("process_data"),
  });
  const { diagnostics } = await haspJson(folder, ["check"]);
  return (
    diagnostics
      // What the rules of the page find in our spec says nothing about the page.
      .filter(({ code, severity }) => severity === "error" && !/^(?:ledger\/not-approved$|acme\/)/u.test(code))
      .map(({ code, message }) => `${code}: ${message}`)
  );
}

/** Runs `hasp test` on a policy whose configuration and tools are on the same page. */
export async function problemsOfPolicy(files: PageFiles): Promise<readonly string[]> {
  const folder = project(Object.fromEntries(files));
  // A test that expects `allow` needs the approval that the page describes.
  await hasp(folder, ["approve", "*", "--yes", "--reason", "Agreed."]);
  const { diagnostics, summary } = await haspJson(folder, ["test"]);
  const failed = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return summary["passed"] === 0 ? [...failed, "no test of it ran"] : failed;
}

/** A file with the digest that a page does not write out. */
export function problemsOfLedger(text: string, path: string): readonly string[] {
  const { value, diagnostics } = parseSource({
    uri: path,
    role: "ledger",
    text: text.replaceAll("sha256:…", `sha256:${"0".repeat(64)}`),
  });
  if (value === undefined) return diagnostics.map(({ message }) => message);
  const ledger = readLedgerFile(value);
  return ledger.entries.length === 0 ? ["it holds no entry"] : ledger.diagnostics.map(({ message }) => message);
}
