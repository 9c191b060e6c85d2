import { ALLOWED } from "../../../compiler/src/cel/check/check-functions.js";
import { nodeAt } from "../syntax/cursor.js";
import type { SyntaxNode } from "../syntax/syntax-tree.js";
import type { Complete, Completion } from "./completion.js";

/** Functions that conditions may call. */
const FUNCTIONS: readonly string[] = ALLOWED.split(" ").filter((word) => /^\w{3,}$/u.test(word));

/** Offers variables, fields and functions of CEL inside a condition. */
export const conditionNames: Complete = ({ role, part, path, root, document, token, offset }) => {
  const isCondition = ["when", "unless", "that"].includes(path.at(-1) ?? "");
  if (part !== "value" || !isCondition || (role !== "spec" && role !== "policy")) return [];
  const typed = document.text.slice(token.start, offset);
  const holder = path[0] === "tools" ? path.slice(0, 2) : [];
  const variables: Readonly<Record<string, SyntaxNode | undefined>> =
    role === "spec"
      ? { input: nodeAt(root, [...holder, "input", "properties"]) }
      : { context: nodeAt(root, ["context"]) };
  const steps = typed.split(".");
  const [variable = "", ...fields] = steps.slice(0, -1);
  if (steps.length === 1) {
    return [
      ...Object.keys(variables).map((label): Completion => ({ label, kind: "variable" })),
      ...FUNCTIONS.map((label): Completion => ({ label, kind: "value", insert: `${label}(` })),
    ];
  }
  const properties = fields.reduce(
    (node: SyntaxNode | undefined, field) => node && nodeAt(node, [field, "properties"]),
    Object.hasOwn(variables, variable) ? variables[variable] : undefined,
  );
  const prefix = steps.slice(0, -1).join(".");
  return namesIn(properties).map((name) => ({ label: `${prefix}.${name}`, kind: "variable" }));
};

/** Lists names that can follow a dot. */
function namesIn(node: SyntaxNode | undefined): readonly string[] {
  const names = node?.kind === "map" ? node.entries.map(({ key }) => key.name) : [];
  return names.filter((name) => /^[A-Za-z_]\w*$/u.test(name));
}
