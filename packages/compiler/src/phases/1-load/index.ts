import { plainSteps, type Steps } from "../../context/context.js";
import type { Found } from "@hasp/base/diagnostics";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { parseSource } from "./parse-source.js";

/** Parses the files of a project and drops unreadable ones. */
export function load(
  sources: readonly SourceText[],
  { each }: Pick<Steps, "each"> = plainSteps,
): Found<readonly LoadedDocument[]> {
  const parsed = each("Parsing files", sources, parseSource);
  return {
    value: parsed.flatMap(({ value }) => value ?? []),
    diagnostics: parsed.flatMap(({ diagnostics }) => diagnostics),
  };
}
