import { toolNames } from "../symbols/symbol.js";
import { namesTool } from "../symbols/tool-names.js";
import type { Complete } from "./completion.js";
import { valueText } from "./value-text.js";

/** Offers the project's tools where a policy or the configuration names one. */
export const toolNamesHere: Complete = (place) =>
  place.role === "spec" || !namesTool(place.role, place.path)
    ? []
    : toolNames(place.project).map((label) => ({ label, kind: "tool", insert: valueText(label, place) }));
