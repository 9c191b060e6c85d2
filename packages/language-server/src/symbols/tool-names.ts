import type { SourceRole } from "../../../compiler/src/model/document.js";

/** The places that name a tool, by the file's role: a path in which `*` stands for any one key. */
const TOOL_NAMES: { readonly [role in SourceRole]: readonly string[] } = {
  spec: ["name", "tools/*/name"],
  policy: ["deny/*", "rules/*/tool", "tests/*/tool"],
  config: ["toolsets/*/include/*", "toolsets/*/exclude/*", "exclude/*/tool"],
  ledger: [],
  shared: [],
};

/** Returns whether the value at a path is the name of a tool. */
export function namesTool(role: SourceRole, path: readonly string[]): boolean {
  return TOOL_NAMES[role].some((pattern) => {
    const tokens = pattern.split("/");
    return tokens.length === path.length && tokens.every((token, index) => token === "*" || token === path[index]);
  });
}
