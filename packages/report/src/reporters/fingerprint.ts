import { createHash } from "node:crypto";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";

/**
 * One fingerprint for each finding, the same in every run as long as the finding is: it rests on the code, the tool and
 * the place by its JSON Pointer, not on the line or the words, which change with their surroundings. Findings that
 * share all of it are told apart by their order.
 */
export function fingerprintsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  const seen = new Map<string, number>();
  return diagnostics.map(({ code, tool, location, message }) => {
    // A finding without a place has only its words.
    const position = location === undefined ? message : `${location.uri}#${location.pointer}`;
    const identity = JSON.stringify([code, tool ?? "", position]);
    const order = seen.get(identity) ?? 0;
    seen.set(identity, order + 1);
    return createHash("sha256").update(`${identity} ${order}`).digest("hex").slice(0, 32);
  });
}
