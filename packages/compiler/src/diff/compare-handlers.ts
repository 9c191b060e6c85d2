import type { JsonObject, JsonValue } from "@hasp/schema";
import { OUTPUT_CHECK } from "@hasp/runtime/contract";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { type Connections, declarationOf, type HandlerDeclaration, isPluginKind } from "../model/handlers.js";
import type { HandlerKinds } from "../handlers/kinds.js";
import { escapeToken, own, isSameJson, toList } from "@hasp/base/json";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { diffDiagnostics } from "./diagnostics.js";

export function compareHandler(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const [was, is] = [declarationOf(before.spec), declarationOf(after.spec)];
  if (was?.key !== is?.key) {
    const location = after.locate(is === undefined ? "/name" : "/handler", is === undefined ? "value" : "key");
    const parameters = { variant: "kind", before: kindInWords(was), after: kindInWords(is) } as const;
    return [diffDiagnostics("handler-changed", location, parameters)];
  }
  if (is === undefined) return [];
  const [old, now] = [membersOf(was), membersOf(is)];
  const changed = changedMembers(old, now).filter(
    (member) => isPluginKind(is.key) || !isTighter(member, old[member], now[member]),
  );
  return changed.map((member) => {
    const location = after.locate(
      `/handler/${escapeToken(is.key)}${Object.hasOwn(now, member) ? `/${escapeToken(member)}` : ""}`,
    );
    const parameters = {
      path: `handler.${is.key}.${member}`,
      before: inWords(old[member]),
      after: inWords(now[member]),
    };
    return diffDiagnostics("handler-changed", location, { variant: "part", ...parameters });
  });
}

/** True if a member that bounds a declaration is tighter: a lower number or a shorter list. */
function isTighter(member: string, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (member === "publicEnv") return isSubset(toList(after), toList(before));
  return member === "maxRows" && typeof after === "number" && (typeof before !== "number" || after < before);
}

function kindInWords(declared: HandlerDeclaration | undefined): string {
  return declared === undefined ? "code of your own" : `handler.${declared.key}`;
}

function membersOf(declared: HandlerDeclaration | undefined): JsonObject {
  return declared?.declaration ?? {};
}

export function compareBinding(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const bind = after.spec.bind ?? {};
  return Object.entries(before.spec.bind ?? {}).flatMap(([name, value]) => {
    const now = own(bind, name);
    if (now === value) return [];
    if (now !== undefined) {
      const parameters = { variant: "other", name, before: value, after: now } as const;
      return [diffDiagnostics("bind-loosened", after.locate(`/bind/${escapeToken(name)}`), parameters)];
    }
    const location = after.locate(after.spec.bind === undefined ? "/name" : "/bind", "key");
    return [diffDiagnostics("bind-loosened", location, { variant: "gone", name, before: value })];
  });
}

export function compareOutputCheck(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const { values, strict } = OUTPUT_CHECK;
  const [was, is] = [before.spec.outputCheck ?? strict, after.spec.outputCheck ?? strict];
  if (values.indexOf(is) <= values.indexOf(was)) return [];
  const location: Location = after.locate("/outputCheck");
  return [diffDiagnostics("output-check-lowered", location, { before: was, after: is })];
}

/** Finds connections with a changed setting that may not be stricter. */
export function compareConnections(
  before: CompilePlan,
  after: CompilePlan,
  kinds: HandlerKinds,
): readonly Diagnostic[] {
  return Object.entries(after.connections ?? {}).flatMap(([name, connection]) => {
    const earlier = own(before.connections, name);
    if (earlier === undefined) return [];
    const pointer = `/connections/${escapeToken(name)}`;
    const location = after.locations?.[pointer] ?? after.locations?.["/connections"];
    const [old, now] = [settingsOf(earlier), settingsOf(connection)];
    const [kind = ""] = Object.keys(connection);
    const listAddresses = (settings: JsonObject): readonly string[] => kinds.partsOf(kind).addresses?.(settings) ?? [];
    return changedMembers(old, now)
      .filter((setting) => !isStricter(setting, old[setting], now[setting], listAddresses))
      .map((setting) => {
        const parameters = { name, setting, before: inWords(old[setting]), after: inWords(now[setting]) };
        return diffDiagnostics("connection-changed", location, parameters);
      });
  });
}

function settingsOf(connection: Connections[string]): JsonObject {
  const [[kind, settings] = ["", {}]] = Object.entries(connection);
  return { kind, ...settings };
}

/** True if a setting that bounds a connection is stricter: a lower number, a shorter list or `false`. */
function isStricter(
  setting: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  listAddresses: (settings: JsonObject) => readonly string[],
): boolean {
  if (before !== undefined && after !== undefined) {
    const [was, is] = [before, after].map((value) => listAddresses({ [setting]: value }));
    if (was !== undefined && is !== undefined && is.length > 0) return isSubset(is, was);
  }
  switch (setting) {
    case "allowPrivateAddresses":
      return after !== true;
    case "allowedHosts":
    case "env":
      return isSubset(toList(after), toList(before));
    // They bound how long a call may take and how much it may answer, not what it does.
    case "timeoutSeconds":
    case "maxResponseMb":
      return true;
    default:
      return false;
  }
}

function isSubset<Item>(items: readonly Item[], of: readonly Item[]): boolean {
  return items.every((item) => of.includes(item));
}

function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((member) => {
    const [old, now] = [before[member], after[member]];
    return old === undefined || now === undefined ? old !== now : !isSameJson(old, now);
  });
}

function inWords(value: JsonValue | undefined): string {
  if (value === undefined) return "not set";
  return JSON.stringify(value);
}
