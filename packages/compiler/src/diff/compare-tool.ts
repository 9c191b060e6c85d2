import { FIELD_ENTRIES, type FieldGroup } from "@hasp/runtime";
import { canonicalText } from "@hasp/schema";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { declarationOf } from "../model/handlers.js";
import { ownMember } from "../model/json.js";
import type { ComparedKey } from "../model/spec-keys.js";
import type { ToolSpec } from "../model/tool-spec.js";
import type { FlatTool } from "../model/tool.js";
import { grantsFor } from "../policies/index.js";
import { compareCalls } from "./compare-calls.js";
import { compareBinding, compareHandler, compareOutputCheck } from "./compare-handlers.js";
import { compareInputs, compareOutputs } from "./compare-input.js";
import { entryChanges } from "./compare-lists.js";
import { comparePrompts } from "./compare-prompt.js";
import {
  compareFields,
  compareIsolation,
  checksGone,
  loosenedFields,
  needsGone,
  openedObjects,
} from "./compare-safety.js";
import { shownSecrets } from "./compare-secrets.js";
import { compareVisibility } from "./compare-visibility.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { Members } from "./members.js";
import type { Version } from "./version.js";

interface ToolInVersion {
  readonly tool: FlatTool;
  readonly version: Version;
}

export function compareTool(before: ToolInVersion, after: ToolInVersion): readonly Diagnostic[] {
  const entries = entryChanges(before.version, after.version, before.tool, after.tool);
  return [
    ...comparePrompts(before.tool, after.tool, entries, after.version.plan),
    ...Object.values(MEMBERS).flatMap((compare) => compare(before, after)),
  ];
}

const MEMBERS: Members<Pick<ToolSpec, ComparedKey>, ToolInVersion> = {
  aliases: addedAliases,
  input: ({ tool: old }, { tool }) => [
    ...compareInputs(old, tool),
    ...openedObjects(old, tool),
    ...shownSecrets("input", old.input, tool.input, tool),
  ],
  output: ({ tool: old }, { tool }) => [
    ...compareOutputs(old, tool),
    ...shownSecrets("output", old.output, tool.output, tool),
  ],
  outputCheck: ({ tool: old }, { tool }) => compareOutputCheck(old, tool),
  concurrency: ({ tool: old }, { tool, version }) => {
    const known = new Set(loosenedFields(old, tool).map(({ name }) => name));
    return [
      ...compareFields("concurrency", old, tool),
      ...compareCalls(old, tool, known, grantsFor(tool, version.policies)),
    ];
  },
  behavior: ({ tool: old }, { tool }) => [
    ...compareFields("behavior", old, tool),
    ...changedChoices("behavior", old, tool),
  ],
  visibility: ({ tool: old }, { tool }) => [
    ...compareFields("visibility", old, tool),
    ...compareVisibility(old, tool),
    ...changedChoices("visibility", old, tool),
  ],
  limits: ({ tool: old }, { tool }) => compareFields("limits", old, tool),
  needs: ({ tool: old }, { tool }) => [...needsGone(old, tool), ...addedNeeds(old, tool)],
  handler: ({ tool: old }, { tool }) => [...compareHandler(old, tool), ...compareIsolation(old, tool)],
  bind: ({ tool: old }, { tool }) => compareBinding(old, tool),
  validate: ({ tool: old }, { tool }) => checksGone(old, tool),
  display: changedDisplay,
};

/** Finds new names of a tool; the old name of a renamed tool is not new. */
function addedAliases({ tool: old, version }: ToolInVersion, { tool }: ToolInVersion): readonly Diagnostic[] {
  const known = new Set([old.name, ...(old.spec.aliases ?? [])]);
  return (tool.spec.aliases ?? []).flatMap((alias, index) => {
    if (known.has(alias)) return [];
    const location = tool.locate(`/aliases/${index}`);
    const earlier = version.tools.find(({ name, spec }) => name === alias || spec.aliases?.includes(alias));
    return earlier === undefined
      ? [diffDiagnostics("alias-added", location, { alias }, { tool: tool.name })]
      : [diffDiagnostics("alias-moved", location, { alias, earlier: earlier.name }, { tool: tool.name })];
  });
}

/** Finds changed fields whose values have no order of strictness. */
function changedChoices(group: FieldGroup, before: FlatTool, after: FlatTool): readonly Diagnostic[] {
  return FIELD_ENTRIES.flatMap(({ group: own, name, path, field }) => {
    const [was, is] = [before, after].map(({ metadata }) => String(ownMember(metadata[group], name)));
    // `compareVisibility` reports a deferred tool.
    if (own !== group || field.order !== "choice" || was === is || was === undefined || is === undefined) return [];
    if (path === "visibility.shouldDefer" && is === "true") return [];
    const location = after.locate(Object.hasOwn(after.spec[group] ?? {}, name) ? `/${group}/${name}` : "/name");
    const details = { tool: after.name };
    return group === "visibility"
      ? [diffDiagnostics("listing-changed", location, { setting: path, before: was, after: is }, details)]
      : [diffDiagnostics("choice-changed", location, { field: path, before: was, after: is }, details)];
  });
}

function addedNeeds({ spec }: FlatTool, tool: FlatTool): readonly Diagnostic[] {
  const receives = declarationOf(tool.spec)?.kind === "command";
  return (["env", "context"] as const).flatMap((list) =>
    (tool.spec.needs?.[list] ?? []).flatMap((name, index) => {
      if (spec.needs?.[list]?.includes(name) === true) return [];
      const location = tool.locate(`/needs/${list}/${index}`);
      const details = { tool: tool.name };
      return [
        diffDiagnostics("needs-added", location, { name, list: `needs.${list}` }, details),
        ...(receives && list === "env" ? [diffDiagnostics("environment-widened", location, { name }, details)] : []),
      ];
    }),
  );
}

function changedDisplay({ tool: old }: ToolInVersion, { tool }: ToolInVersion): readonly Diagnostic[] {
  const [before, after] = [old, tool].map(({ spec }) => canonicalText(spec.display ?? {}));
  if (before === undefined || after === undefined || before === after) return [];
  const location = tool.locate(tool.spec.display === undefined ? "/name" : "/display", "key");
  return [diffDiagnostics("display-changed", location, { before, after }, { tool: tool.name })];
}
