import { FIELD_ENTRIES } from "@hasp/runtime";
import { toolClaims } from "../../../compiler/src/ledger/index.js";
import { approvalText, resolvedFields } from "../../../report/src/views/tool-card.js";
import { projectApprovals } from "../model/approvals.js";
import { toolAt } from "../place/place.js";
import type { Describe } from "./hover.js";
import { inCode, inert } from "./markdown.js";

/** Describes a behavioural field: its default, its meaning, and the approval of a claim about it. */
export const describeField: Describe = (place, { part, pointer, path }) => {
  const [group, name] = path.slice(-2);
  const row = FIELD_ENTRIES.find((entry) => entry.group === group && entry.name === name);
  const found = part === "key" ? toolAt(place, pointer) : undefined;
  if (row === undefined) return undefined;
  const { field, path: fieldPath } = row;
  const lines = [`Strict default: ${inCode(JSON.stringify(field.strict))}.`];
  // The format's description of a key contains the meanings of its values.
  const meanings = part === "value" && "meanings" in field ? Object.entries<string>(field.meanings) : [];
  for (const [value, meaning] of meanings) lines.push(`- ${inCode(value)}: ${meaning}`);
  const compiled = place.project.compiled;
  if (found === undefined || compiled === undefined) return lines.join("\n");
  const resolved = resolvedFields(found.tool).find((each) => each.path === fieldPath);
  if (resolved !== undefined) {
    lines.push("", `Here: ${inCode(JSON.stringify(resolved.value))}, ${inert(resolved.source)}.`);
  }
  const claims = toolClaims([found.tool], projectApprovals(place.project, compiled));
  for (const claim of claims.filter(({ relaxation }) => relaxation.pointer === found.inside)) {
    lines.push("", `Claim ${inCode(claim.relaxation.claim)}: ${inert(approvalText(claim))}`);
  }
  return lines.join("\n");
};
