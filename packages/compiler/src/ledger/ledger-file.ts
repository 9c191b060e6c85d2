import type { JsonObject, JsonValue } from "@hasp/schema";
import { isScalar, isSeq, parseDocument, visit, type Node } from "yaml";
import { type Diagnostic, isBlankText, type Location } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "../model/document.js";
import { readOwnMember, isList, isObject, own, toRecord } from "@hasp/base/json";
import { ledgerDiagnostics } from "./diagnostics.js";

export const LEDGER_FOLDER = "hasp-ledger";

export interface LedgerEntry {
  readonly claim: string;
  readonly reason: string;
  /** The kind of the declared handler whose contradiction was accepted. */
  readonly contradicts?: string;
  /** The last valid day, `YYYY-MM-DD`. */
  readonly expires?: string;
  /** The approver according to git, `Name <email>`; missing in old entries. */
  readonly by?: string;
  readonly on?: string;
  /** The digest of all that was reviewed, and short ones of its parts. */
  readonly covers: string;
  /** The covered input as canonical JSON; missing in old entries, for conditions and if it is long. */
  readonly input?: string;
  readonly index: number;
  readonly location: Location;
}

export interface LedgerFile {
  readonly tool: string;
  readonly document: LoadedDocument;
  readonly entries: readonly LedgerEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

export function locateLedger(tool: string): string {
  return `${LEDGER_FOLDER}/${tool}.yaml`;
}

/** Returns a policy's ledger name, such as `support.policy` for `policies/support.yaml`; no tool has such a name. */
export function readPolicyName(path: string): string {
  return `${path.replace(/^.*\//u, "").replace(/\.[^.]*$/u, "")}.policy`;
}

/** Reads one ledger file; reports and omits malformed entries, also those that claim to be from a later day than today. */
export function readLedgerFile(document: LoadedDocument, today: string = LAST_DAY): LedgerFile {
  const tool = document.uri.replace(/^.*\//u, "").replace(/\.ya?ml$/u, "");
  const diagnostics: Diagnostic[] = [];
  const entries: LedgerEntry[] = [];
  const malformed = (pointer: string, problem: string): void => {
    diagnostics.push(ledgerDiagnostics("malformed", document.locate(pointer), { problem }, { tool }));
  };

  const approved = readOwnMember(document.value, "approved");
  if (!isObject(document.value) || !isList(approved)) {
    malformed("", 'A ledger contains a list "approved".');
    return { tool, document, entries, diagnostics };
  }
  for (const key of Object.keys(document.value)) {
    if (key !== "approved") malformed(`/${key}`, `A ledger has no key "${key}".`);
  }
  const shared = rowsWithReferences(document.text);
  for (const [index, item] of approved.entries()) {
    const pointer = `/approved/${index}`;
    const problem = shared.has(index) ? WRITTEN_OUT : problemOf(item, today);
    if (problem !== undefined) malformed(pointer, problem);
    else if (isObject(item)) entries.push(entryOf(item, index, document.locate(pointer)));
  }
  const seen = new Set<string>();
  for (const { claim, location } of entries) {
    if (seen.has(claim)) diagnostics.push(ledgerDiagnostics("twice-approved", location, { claim }, { tool }));
    seen.add(claim);
  }
  return { tool, document, entries, diagnostics };
}

const LAST_DAY = "9999-12-31";

const WRITTEN_OUT = "An entry of the ledger must be written out, without an alias, an anchor or a merge key.";

/** Finds entries with aliases, anchors or merge keys. */
function rowsWithReferences(yaml: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!/[&*]|<</u.test(yaml)) return found;
  const approved: unknown = parseDocument(yaml).get("approved");
  if (!isSeq(approved)) return found;
  for (const [index, row] of approved.items.entries()) {
    visit(row as Node, {
      Alias: () => void found.add(index),
      Node: (_, node) => void ("anchor" in node && node.anchor !== undefined && found.add(index)),
      Pair: (_, { key }) => void (isScalar(key) && key.value === "<<" && found.add(index)),
    });
  }
  return found;
}

const KEYS: ReadonlySet<string> = new Set(["claim", "reason", "contradicts", "expires", "by", "on", "covers", "input"]);

function problemOf(item: JsonValue, today: string): string | undefined {
  if (!isObject(item)) return "An entry of the ledger must be an object.";
  const unknown = Object.keys(item).find((key) => !KEYS.has(key));
  if (unknown !== undefined) return `An entry of the ledger has no key "${unknown}".`;
  for (const key of ["claim", "reason", "covers"]) {
    const value = own(item, key);
    if (typeof value !== "string" || isBlankText(value)) return `An entry of the ledger needs a string "${key}".`;
  }
  const contradicts = own(item, "contradicts");
  if (contradicts !== undefined && typeof contradicts !== "string") {
    return '"contradicts" names the kind of the handler that the claim contradicts.';
  }
  for (const key of ["expires", "on"]) {
    const day = own(item, key);
    if (day !== undefined && !isDay(day)) return `"${key}" is a day such as "2027-01-31", in quotes or not.`;
  }
  const on = own(item, "on");
  if (typeof on === "string" && on > today) {
    return `"on" is the day of the approval, and ${on} has not come yet: today is ${today} (UTC).`;
  }
  const by = own(item, "by");
  if (by !== undefined && (typeof by !== "string" || isBlankText(by))) {
    return '"by" names who approved the claim, such as "Ada <ada@example.com>".';
  }
  const input = own(item, "input");
  if (input !== undefined && !isSchemaText(input)) {
    return '"input" is the JSON text of a schema, as `hasp approve` wrote it.';
  }
  return undefined;
}

function isSchemaText(value: JsonValue): boolean {
  try {
    const schema: unknown = typeof value === "string" ? JSON.parse(value) : undefined;
    return typeof schema === "boolean" || isObject(schema);
  } catch {
    return false;
  }
}

function entryOf(item: JsonObject, index: number, location: Location): LedgerEntry {
  const text = (key: string): string => String(own(item, key));
  const optional = (["contradicts", "expires", "by", "on", "input"] as const).filter(
    (key) => own(item, key) !== undefined,
  );
  return {
    claim: text("claim"),
    reason: text("reason"),
    covers: text("covers"),
    ...toRecord(optional, text),
    index,
    location,
  };
}

export function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/u.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
