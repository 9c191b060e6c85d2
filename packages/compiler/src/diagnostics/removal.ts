import type { Diagnostic, Location } from "./diagnostic.js";

/** The fix that removes what is at a pointer, if that very place is known and not only what holds it. */
export function offerRemoval(location: Location | undefined, pointer: string): Pick<Diagnostic, "fix"> {
  return location?.pointer === pointer ? { fix: { kind: "remove", uri: location.uri, pointer } } : {};
}
