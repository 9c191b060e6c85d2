import { FIELD_ENTRIES, isLooser, type FieldEntry, type FieldGroup } from "@hasp/runtime";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { locateClaim } from "../ledger/claims.js";
import { ownMember } from "../model/json.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { checkText } from "./compare-input.js";
import { diffDiagnostics } from "./diagnostics.js";

export function compareFields(group: FieldGroup, before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  return loosenedFields(before, after).flatMap((field) =>
    field.group === group && field.diagnostic !== undefined ? [field.diagnostic] : [],
  );
}

export function addedClaims(tool: FlatTool): readonly Diagnostic[] {
  return tool.relaxations.map((relaxation) => claimAdded(tool, relaxation));
}

function claimAdded(tool: FlatTool, relaxation: Relaxation): Diagnostic {
  return diffDiagnostics(
    "claim-added",
    locateClaim(tool, relaxation),
    { claim: relaxation.claim },
    { tool: tool.name },
  );
}

interface LoosenedField {
  readonly group: FieldGroup;
  readonly name: string;
  /** Missing if the looser class entails the field and is one claim with it. */
  readonly diagnostic: Diagnostic | undefined;
}

export function loosenedFields(before: FlatTool, after: FlatTool): readonly LoosenedField[] {
  const valueIn = ({ metadata }: FlatTool, { group, name }: FieldEntry): unknown => ownMember(metadata[group], name);
  const looser = FIELD_ENTRIES.filter((entry) => isLooser(entry.field, valueIn(after, entry), valueIn(before, entry)));
  return looser.map((entry) => {
    const { group, name, path } = entry;
    const isWritten = Object.hasOwn(after.spec[group] ?? {}, name);
    const isEntailed =
      !isWritten && after.stated.has(path) && looser.some((other) => other.path === "concurrency.class");
    const location =
      isWritten || !Object.hasOwn(after.spec, group)
        ? after.locate(isWritten ? `/${group}/${name}` : "/name")
        : after.locate(`/${group}`, "key");
    const parameters = {
      field: path,
      before: String(valueIn(before, entry)),
      after: String(valueIn(after, entry)),
    };
    const diagnostic = diffDiagnostics("loosened", location, parameters, { tool: after.name });
    return { group, name, diagnostic: isEntailed ? undefined : diagnostic };
  });
}

export function openedObjects(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const known = new Set(before.relaxations.map(({ claim }) => claim));
  return after.relaxations
    .filter(({ claim, pointer }) => pointer.startsWith("/input") && !known.has(claim))
    .map((relaxation) => claimAdded(after, relaxation));
}

export function needsGone(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const lists = ["env", "context"] as const;
  return lists.flatMap((list) =>
    (before.spec.needs?.[list] ?? [])
      .filter((name) => after.spec.needs?.[list]?.includes(name) !== true)
      .map((name) =>
        diffDiagnostics(
          "needs-gone",
          after.locate(after.spec.needs === undefined ? "/name" : "/needs", "key"),
          { name, list: `needs.${list}` },
          { tool: after.name },
        ),
      ),
  );
}

export function compareIsolation(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const [old, now] = [before.spec.handler?.isolation, after.spec.handler?.isolation];
  const details = { tool: after.name };
  if (old === undefined) return [];
  if (now === undefined) {
    const location = after.locate(after.spec.handler === undefined ? "/name" : "/handler", "key");
    return [diffDiagnostics("isolation-loosened", location, { variant: "gone" }, details)];
  }
  const limits = (Object.keys(old) as readonly (keyof typeof old)[]).filter(
    (limit) => (now[limit] ?? Infinity) > (old[limit] ?? Infinity),
  );
  return limits.map((limit) => {
    const location = after.locate(now[limit] === undefined ? "/handler/isolation" : `/handler/isolation/${limit}`);
    const parameters = { limit, before: String(old[limit]), after: String(now[limit] ?? "unlimited") };
    return diffDiagnostics("isolation-loosened", location, { variant: "limit", ...parameters }, details);
  });
}

export function checksGone(before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  const kept = new Set(after.checks.map(checkText));
  const location = after.locate(after.spec.validate === undefined ? "/name" : "/validate", "key");
  return before.checks
    .map(checkText)
    .filter((text) => !kept.has(text))
    .map((check) => diffDiagnostics("check-gone", location, { check }, { tool: after.name }));
}
