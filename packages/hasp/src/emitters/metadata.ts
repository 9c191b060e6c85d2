import { metadataOf as everyField } from "@hasp/runtime";
import type { JsonObject } from "@hasp/schema";
import { ownMember } from "../model/own.js";
import type { FlatTool } from "../model/tool.js";

/** The tool's metadata, each value explicit, in the order of the table of fields. */
export function metadataOf({ metadata }: FlatTool): JsonObject {
  return everyField(({ group, name }) => ownMember(metadata[group], name));
}
