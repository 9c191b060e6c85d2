import type { Diagnostic, Location } from "../../diagnostics/diagnostic.js";

/** The fix that takes a setting of the configuration away, if its own place is known and not only that of what holds it. */
export function removalOf(location: Location | undefined, pointer: string): Pick<Diagnostic, "fix"> {
  return location?.pointer === pointer ? { fix: { kind: "remove", uri: location.uri, pointer } } : {};
}
