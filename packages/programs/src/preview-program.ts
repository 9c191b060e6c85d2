import type { ProgramPreview } from "@hasp/runtime";

/** The word `tools`, and the name in a call that follows it directly: `tools.read(`, `tools?.["read"](`. */
const USES =
  /(?<![\w$])tools(?![\w$])(?=[ \t\r\n]*(?:\??\.[ \t\r\n]*(?<member>[A-Za-z_$][\w$]*)|(?:\?\.[ \t\r\n]*)?\[[ \t\r\n]*(?<quote>["'])(?<key>[\w.:/-]+)\k<quote>[ \t\r\n]*\])[ \t\r\n]*(?:\?\.[ \t\r\n]*)?\(|)/gu;

/** Other names by which a program may reach `tools`, or run text as code, and escapes that may be letters of such names. */
const INDIRECT =
  /(?<![\w$])(?:arguments|eval|Function)(?![\w$])|\\u(?!(?!00[0-7])[\dA-Fa-f]{4}|\{[1-9A-Fa-f][\dA-Fa-f]{2,}\})/u;

/**
 * Lists the tools that the text of a program calls. Any other `tools` in it makes it `dynamic`. It reads no tokens, since
 * parsers differ on them: comments, strings and regular expressions count like code.
 */
export function previewProgram(code: string): ProgramPreview {
  const names = new Set<string>();
  let dynamic = INDIRECT.test(code);
  for (const { groups } of code.matchAll(USES)) {
    const name = groups?.["member"] ?? groups?.["key"];
    if (name === undefined) dynamic = true;
    else names.add(name);
  }
  return Object.freeze({ tools: Object.freeze([...names].toSorted()), dynamic });
}
