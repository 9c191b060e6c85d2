import { descriptionOf } from "../formats/format-schema.js";
import type { Describe } from "./hover.js";

/** What the format says about a key. */
export const describePlace: Describe = (_place, { part, schemas }) =>
  // The format's own words are Markdown.
  part === "key" ? descriptionOf(schemas) : undefined;
