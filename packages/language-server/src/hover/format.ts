import { descriptionOf } from "../formats/format-schema.js";
import type { Describe } from "./hover.js";

/** Describes a key as its format does. */
export const describePlace: Describe = (_place, { part, schemas }) =>
  // The format's own words are Markdown.
  part === "key" ? descriptionOf(schemas) : undefined;
