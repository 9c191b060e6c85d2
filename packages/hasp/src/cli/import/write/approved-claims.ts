import { resolve } from "node:path";
import type { Diagnostic, Location } from "../../../../../compiler/src/diagnostics/diagnostic.js";
import { readText } from "../../../../../project/src/fs/read-text.js";
import { importDiagnostics } from "../../../../../import/src/importers/source/diagnostics.js";

/** Warns that a tool with approved claims has changed at its source. */
export async function approvedBefore(
  root: string,
  tool: string,
  changed: readonly string[],
  location?: Location,
): Promise<Diagnostic | undefined> {
  const claims = changed.length === 0 ? [] : await approvedClaims(root, tool);
  return claims.length === 0
    ? undefined
    : importDiagnostics("approved-before", location, { tool, changed, claims }, { tool });
}

async function approvedClaims(root: string, tool: string): Promise<readonly string[]> {
  const { ledgerPath, readLedgerFile } = await import("../../../../../compiler/src/ledger/ledger-file.js");
  const { parseSource } = await import("../../../../../compiler/src/phases/1-load/index.js");
  const uri = ledgerPath(tool);
  const ledger = await readText(resolve(root, uri));
  const document = "text" in ledger ? parseSource({ uri, text: ledger.text, role: "ledger" }).value : undefined;
  return document === undefined ? [] : readLedgerFile(document).entries.map(({ claim }) => claim);
}
