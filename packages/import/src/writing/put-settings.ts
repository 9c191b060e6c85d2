import { resolve } from "node:path";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "@hasp/compiler/model";
import { importDiagnostics } from "../importers/source/diagnostics.js";
import type { ImportedTool } from "../importers/source/importer.js";
import { readText } from "@hasp/project";
import { makeUserFile } from "@hasp/project/output";
import type { MovedSpec } from "./import-records.js";
import type { AskAboutConflicts, ImportWriteOptions } from "../sources/import-request.js";

export async function findEarlierApproval(
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
  const { locateLedger, readLedgerFile } = await import("@hasp/compiler/claims");
  const { parseSource } = await import("@hasp/compiler/source");
  const uri = locateLedger(tool);
  const ledger = await readText(resolve(root, uri));
  const document = "text" in ledger ? parseSource({ uri, text: ledger.text, role: "ledger" }).value : undefined;
  return document === undefined ? [] : readLedgerFile(document).entries.map(({ claim }) => claim);
}

/** Writes a user's file; returns the reason if that fails. Replaces an existing file only if told to. */
export async function writeFailure(
  root: string,
  path: string,
  text: string,
  options: { readonly replace: boolean },
): Promise<string | undefined> {
  const made = await makeUserFile(root, path, text, options);
  if (made.state === "failed") return made.reason;
  return made.state === "exists" ? "another program has created it in the meantime" : undefined;
}

export interface PutSettings {
  readonly out: string;
  readonly header: readonly string[];
  readonly options: ImportWriteOptions;
  /** Absent if nobody can be asked. */
  readonly ask: AskAboutConflicts | undefined;
  readonly folder: string;
  readonly root: string;
  readonly document: LoadedDocument;
  /** Specs of this kind in other places, by their name at the source. */
  readonly moved: ReadonlyMap<string, MovedSpec>;
}

export type PutState = "written" | "updated" | "unchanged";

export interface ImportedSpec {
  readonly tool: ImportedTool;
  readonly state: PutState;
  readonly path: string;
  readonly suggests: boolean;
}
