import { FIELD_ENTRIES, type FieldGroup, type FieldPath } from "@hasp/runtime/contract";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../model/document.js";
import { findContradictionIn, listSupportedClaims } from "./contradictions.js";
import { own, parsePointer } from "@hasp/base/json";
import type { FlatTool } from "../model/tool.js";
import type { FileEdit } from "./approve.js";
import { editSpecText, type SpecEdit } from "./edit-spec-text.js";

export interface SuggestedClaim {
  readonly tool: string;
  /** The claim in the ledger's words, such as `concurrency.class: READ_ONLY`. */
  readonly claim: string;
  /** `stated`: the spec says so. `unknown`: there is no such field. `contradicted`: by the declared handler. */
  readonly outcome: "moved" | "stated" | "unknown" | "contradicted";
}

const GROUPS: { readonly [name: string]: FieldGroup } = Object.fromEntries(
  FIELD_ENTRIES.map(({ name, group }) => [name, group]),
);

/** Moves `suggested` claims into specs, keeping comments, layout and stated values. They still need approvals. */
export function approveSuggested(tools: readonly FlatTool[]): {
  readonly files: readonly FileEdit[];
  readonly claims: readonly SuggestedClaim[];
} {
  const claims: SuggestedClaim[] = [];
  const texts = new Map<LoadedDocument, string>();
  for (const tool of tools) {
    const { suggested = {} } = tool.spec.origin ?? {};
    const supported = Object.entries(listSupportedClaims(tool)).filter(
      ([key]) => !Object.hasOwn(suggested, key) && !isStated(tool, GROUPS[key] ?? "behavior", key),
    );
    const { edits, found } = editsFor(tool, { ...suggested, ...Object.fromEntries(supported) });
    if (found.length === 0 && edits.length === 0) continue;
    claims.push(...found);
    const text = texts.get(tool.document) ?? tool.document.text;
    texts.set(tool.document, editSpecText(tool.document.uri, text, edits));
  }
  return { files: [...texts].map(([document, text]) => ({ path: document.uri, text })), claims };
}

function editsFor(
  tool: FlatTool,
  suggested: JsonObject,
): { readonly edits: readonly SpecEdit[]; readonly found: readonly SuggestedClaim[] } {
  const base = parsePointer(tool.pointer).map((token) => (/^\d+$/u.test(token) ? Number(token) : token));
  const additions = new Map<FieldGroup, [string, JsonValue][]>();
  const found: SuggestedClaim[] = [];
  const kept = new Set<string>();
  for (const [key, value] of Object.entries(suggested)) {
    if (key === "from") continue;
    const group = own(GROUPS, key);
    const claim = `${group ?? "suggested"}.${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
    if (group === undefined) {
      found.push({ tool: tool.name, claim, outcome: "unknown" });
      kept.add(key);
    } else if (isStated(tool, group, key)) found.push({ tool: tool.name, claim, outcome: "stated" });
    else if (findContradictionIn(tool, { [key]: value }) !== undefined) {
      found.push({ tool: tool.name, claim, outcome: "contradicted" });
      kept.add(key);
    } else {
      found.push({ tool: tool.name, claim, outcome: "moved" });
      additions.set(group, [...(additions.get(group) ?? []), [key, value]]);
    }
  }
  const edits: SpecEdit[] = [];
  for (const [group, pairs] of additions) {
    if (tool.spec[group] === undefined) edits.push({ path: [...base, group], value: Object.fromEntries(pairs) });
    else for (const [key, value] of pairs) edits.push({ path: [...base, group, key], value });
  }
  const written = Object.keys(tool.spec.origin?.suggested ?? {});
  const understood = written.filter((key) => key !== "from" && !kept.has(key));
  const taken = kept.size === 0 && written.length > 0 ? [[]] : understood.map((key) => [key]);
  edits.push(...taken.map((path) => ({ path: [...base, "origin", "suggested", ...path], value: undefined })));
  return { edits, found };
}

function isStated(tool: FlatTool, group: FieldGroup, key: string): boolean {
  const stated = tool.spec[group];
  // A class that the author chose also decides the flags that it entails.
  return (stated !== undefined && Object.hasOwn(stated, key)) || tool.stated.has(`${group}.${key}` as FieldPath);
}
