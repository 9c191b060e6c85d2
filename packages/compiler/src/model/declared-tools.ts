import type { JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "./document.js";
import { ownMember } from "./own.js";

/** A tool that a file names, whether or not it could be used. */
export interface DeclaredTool {
  readonly name: string;
  readonly document: LoadedDocument;
}

/**
 * The tools that spec files name. One that is missing later has errors of its own; nothing else should be said about its
 * absence.
 */
export function declaredTools(documents: readonly LoadedDocument[]): readonly DeclaredTool[] {
  const declared: DeclaredTool[] = [];
  for (const document of documents) {
    if (document.role !== "spec") continue;
    for (const name of namesIn(document.value)) declared.push({ name, document });
  }
  return declared;
}

function namesIn(value: JsonValue): readonly string[] {
  const specs = ownMember(value, "tools") ?? [value];
  const list: readonly JsonValue[] = Array.isArray(specs) ? specs : [specs];
  return list.flatMap((spec) => {
    const name = ownMember(spec, "name");
    return typeof name === "string" ? [name] : [];
  });
}
