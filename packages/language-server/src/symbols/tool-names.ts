import type { SourceRole } from "../../../compiler/src/model/document.js";

/** Paths that name a tool, by the file's role; `*` stands for any one key. */
const TOOL_NAMES: { readonly [role in SourceRole]: readonly string[] } = {
  spec: ["name", "tools/*/name"],
  policy: ["deny/*", "rules/*/tool", "tests/*/tool"],
  config: ["toolsets/*/include/*", "toolsets/*/exclude/*", "exclude/*/tool"],
  ledger: [],
  shared: [],
};

export function namesTool(role: SourceRole, path: readonly string[]): boolean {
  return TOOL_NAMES[role].some((pattern) => {
    const tokens = pattern.split("/");
    return tokens.length === path.length && tokens.every((token, index) => token === "*" || token === path[index]);
  });
}
