import { descriptionOf } from "../formats/format-schema.js";
import type { Describe } from "./hover.js";

export const describePlace: Describe = (_place, { part, schemas }) =>
  // The format's own words are Markdown.
  part === "key" ? descriptionOf(schemas) : undefined;
