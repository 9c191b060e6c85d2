import { hasWildcard, matchingTools } from "../../../compiler/src/policies/tool-patterns.js";
import { roleOf } from "../formats/document-format.js";
import { stringOf } from "../syntax/cursor.js";
import { namesTool } from "../symbols/tool-names.js";
import type { Describe } from "./hover.js";
import { inCode } from "./markdown.js";

const SHOWN = 20;

/** Lists the tools that a pattern of a policy matches. */
export const describePermissionRule: Describe = ({ project, document }, { part, path, node }) => {
  const pattern = stringOf(node);
  const role = roleOf(document.uri, project);
  if (part !== "value" || role !== "policy" || pattern === undefined || !namesTool(role, path)) return undefined;
  const matched = matchingTools(project.compiled?.result.tools ?? [], pattern);
  const names = matched.slice(0, SHOWN).map(({ name }) => inCode(name));
  const more = matched.length - names.length;
  const lines = [
    matched.length === 0
      ? "Matches no tool of this project."
      : `Matches ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  ];
  const destructive = matched.filter(({ worstCase }) => worstCase.isDestructive);
  if (hasWildcard(pattern) && destructive.length > 0) {
    lines.push(
      `Of these, ${destructive.length} may destroy something: an \`allow\` with a wildcard does not cover such calls.`,
    );
  }
  return lines.join("\n\n");
};
