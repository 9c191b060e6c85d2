import type { Complete } from "./completion.js";
import { valueText } from "./value-text.js";

/** Offers members of the context's type where a spec needs or binds one. */
export const contextFields: Complete = (place) => {
  const { path, part, project, role } = place;
  if (role !== "spec" || part !== "value") return [];
  const members = project.compiled?.plan.contextMembers ?? [];
  const isNeed = path.at(-2) === "context" && path.at(-3) === "needs";
  const isBind = path.at(-2) === "bind";
  if (!isNeed && !isBind) return [];
  return members.map((member) => {
    const label = isNeed ? member : `context.${member}`;
    return { label, kind: "variable", insert: valueText(label, place) };
  });
};
