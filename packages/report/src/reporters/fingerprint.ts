import { createHash } from "node:crypto";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";

/**
 * Returns stable fingerprints: from the code, the tool and the JSON Pointer, since lines and words change. Numbers
 * findings that share all of these.
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
