import type { Diagnostic, Location } from "./diagnostic.js";

/** Offers to remove the value at a pointer, if its exact place is known. */
export function offerRemoval(location: Location | undefined, pointer: string): Pick<Diagnostic, "fix"> {
  return location?.pointer === pointer ? { fix: { kind: "remove", uri: location.uri, pointer } } : {};
}
