import { dropUndefined } from "@hasp/base/json";
import { Document, isMap, isSeq, parseDocument, type YAMLSeq } from "yaml";
import { isBlankText } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "../model/document.js";
import { isDay, locateLedger, readLedgerFile } from "./ledger-file.js";
import type { PendingClaim } from "./claims.js";

/** A new file text, or `undefined` to delete the file. Paths are relative to the project. */
export interface FileEdit {
  readonly path: string;
  readonly text: string | undefined;
}

interface ApprovalInput {
  readonly claims: readonly PendingClaim[];
  readonly ledgers: readonly LoadedDocument[];
  readonly reason: string;
  /** The last valid day, `YYYY-MM-DD`. */
  readonly expires?: string;
  /** The approver, such as `Name <email>`, if known. */
  readonly by?: string | undefined;
  /** The day of the approval, `YYYY-MM-DD`. */
  readonly on: string;
}

/** Adds approvals to the ledger files, updates existing entries in place, and keeps comments. */
export function approve({ claims, ledgers, reason, expires, by, on }: ApprovalInput): readonly FileEdit[] {
  if (isBlankText(reason)) throw new RangeError("An approval needs a reason.");
  for (const day of expires === undefined ? [on] : [on, expires]) {
    if (!isDay(day)) throw new RangeError(`"${day}" is not a day such as 2027-01-31.`);
  }
  const optional = Object.entries({ expires, by, on });
  const files = new Map(ledgers.map((ledger) => [readLedgerFile(ledger).tool, ledger]));
  const tools = [...new Set(claims.map(({ tool }) => tool))].toSorted();
  return tools.map((tool) => {
    const document = files.get(tool);
    const yaml = document === undefined ? newLedger(tool) : parseDocument(document.text);
    const list = approvedList(yaml);
    for (const { claim, covers, input, contradiction } of claims.filter((each) => each.tool === tool)) {
      const entry = dropUndefined({
        claim,
        reason: reason.trim(),
        contradicts: contradiction?.kind,
        ...Object.fromEntries(optional),
        covers,
        input,
      });
      const at = list.items.findIndex((item) => isMap(item) && item.get("claim") === claim);
      const known = list.items[at];
      if (!isMap(known)) list.add(yaml.createNode(entry));
      else {
        // Set only what changed, to keep comments and the order of keys.
        known.set("reason", entry.reason);
        known.set("covers", covers);
        for (const [key, value] of [
          ["contradicts", contradiction?.kind] as const,
          ["input", input] as const,
          ...optional,
        ]) {
          if (value === undefined) known.delete(key);
          else known.set(key, value);
        }
      }
    }
    return { path: document?.uri ?? locateLedger(tool), text: printed(yaml) };
  });
}

interface PrunedEntry {
  readonly tool: string;
  readonly claim: string;
}

/** Removes entries whose claims no longer exist, and empty files. */
export function pruneLedger(
  claims: ReadonlyMap<string, readonly string[]>,
  ledgers: readonly LoadedDocument[],
): { readonly files: readonly FileEdit[]; readonly removed: readonly PrunedEntry[] } {
  const removed: PrunedEntry[] = [];
  const files: FileEdit[] = [];
  for (const { tool, document, entries } of ledgers.map((ledger) => readLedgerFile(ledger))) {
    const dead = entries.filter(({ claim }) => claims.get(tool)?.includes(claim) !== true);
    if (dead.length === 0 && claims.has(tool)) continue;
    removed.push(...dead.map(({ claim }) => ({ tool, claim })));
    const yaml = parseDocument(document.text);
    const list = approvedList(yaml);
    for (const { index } of dead.toReversed()) list.delete(index);
    files.push({ path: document.uri, text: list.items.length === 0 ? undefined : printed(yaml) });
  }
  return { files, removed };
}

function newLedger(tool: string): Document {
  const document = new Document({ approved: [] });
  document.commentBefore =
    ` What the spec of ${tool} claims beyond the strict defaults, and why each claim was approved.\n` +
    " Written by `hasp approve`; review a change of this file like a change of code.";
  return document;
}

function approvedList(document: Document | ReturnType<typeof parseDocument>): YAMLSeq {
  const list = document.get("approved");
  if (isSeq(list)) {
    // A new list would print on one line.
    list.flow = false;
    return list;
  }
  const made = document.createNode([]);
  document.set("approved", made);
  if (!isSeq(made)) throw new Error("yaml made no list of []");
  return made;
}

/** Prints without folding, since long lines are easier to review. */
function printed(document: Document | ReturnType<typeof parseDocument>): string {
  return document.toString({ lineWidth: 0 });
}
