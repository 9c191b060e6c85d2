import { resolve } from "node:path";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { insideProject } from "../../../../project/src/fs/inside-project.js";
import { makeUserFile, removeUserFile } from "../../../../project/src/output/user-files.js";
import type { FileEdit } from "../../../../compiler/src/ledger/index.js";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";
import { visibleText } from "../../../../compiler/src/text/visible-text.js";
import { pluralize } from "../../../../compiler/src/text/words.js";
import type { CompiledProject } from "../project/project.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { ApprovalResult } from "./approval.js";

/** Removes entries whose claim, tool or policy is gone. */
export async function prune(project: CompiledProject): Promise<ApprovalResult> {
  const { pruneLedger } = await import("../../../../compiler/src/ledger/index.js");
  const { policyClaims } = await import("../../../../compiler/src/policies/index.js");
  const claims = new Map([
    ...project.result.tools.map(({ name, relaxations }) => [name, relaxations.map(({ claim }) => claim)] as const),
    ...project.result.policies.map((policy) => [policy.name, policyClaims(policy)] as const),
  ]);
  const { files, removed } = pruneLedger(claims, await ledgerDocuments(project));
  const lines = removed.map(({ tool, claim }) => `  ${visibleText(tool)}: ${visibleText(claim)}`);
  return {
    edits: files,
    text: `${[`${pluralize(removed.length, "entry", "entries")} removed.`, ...lines].join("\n")}\n`,
  };
}

/** Reads the ledgers as they are after some edits. */
export async function ledgerDocuments(
  { sources }: CompiledProject,
  edits: readonly FileEdit[] = [],
): Promise<readonly LoadedDocument[]> {
  const { parseSource } = await import("../../../../compiler/src/phases/1-load/index.js");
  const edited = new Map(edits.map(({ path, text }) => [path, text]));
  return sources
    .filter(({ role }) => role === "ledger")
    .flatMap((source) => {
      if (!edited.has(source.uri)) return parseSource(source).value ?? [];
      const text = edited.get(source.uri);
      return text === undefined ? [] : (parseSource({ uri: source.uri, role: "ledger", text }).value ?? []);
    });
}

export async function writeEdits(edits: readonly FileEdit[], root: string): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const isInside = insideProject(root);
  for (const { path, text } of edits) {
    if (!isInside(path)) {
      diagnostics.push(
        cliDiagnostics("cannot-write", undefined, { path, reason: "a link in the path points outside the project" }),
      );
      continue;
    }
    const target = resolve(root, path);
    const result =
      text === undefined ? await removeUserFile(target) : await makeUserFile(target, text, { replace: true });
    if (result.state === "failed") {
      diagnostics.push(cliDiagnostics("cannot-write", undefined, { path, reason: result.reason ?? "unknown" }));
    }
  }
  return diagnostics;
}
