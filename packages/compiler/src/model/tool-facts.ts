import { metadataOf as everyField } from "@hasp/runtime";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { ownMember } from "./own.js";
import { keysIn } from "./spec/keys.js";
import type { FlatTool } from "./tool.js";

/** The facts about one tool that the manifest and the compiled model state, every behavioural value explicit. */
interface ToolFacts extends JsonObject {
  /** The path of the spec, with a JSON Pointer where the file holds several. */
  readonly spec: string;
}

/** Lists the facts about a tool. */
export function toolFacts(tool: FlatTool): ToolFacts {
  const { spec, worstCase } = tool;
  const extensions = Object.entries(spec).filter(([key, value]) => key.startsWith("x-") && value !== undefined);
  return {
    spec: tool.document.uri + (tool.pointer === "" ? "" : `#${tool.pointer}`),
    ...Object.fromEntries(keysIn("manifest").flatMap((key) => (spec[key] === undefined ? [] : [[key, spec[key]]]))),
    metadata: metadataOf(tool),
    worstCase: { ...worstCase },
    relaxations: tool.relaxations.map(({ claim }) => claim),
    ...Object.fromEntries(extensions as readonly (readonly [string, JsonValue])[]),
  };
}

/** Returns the tool's metadata, each value explicit, in the order of the table of fields. */
export function metadataOf({ metadata }: FlatTool): JsonObject {
  return everyField(({ group, name }) => ownMember(metadata[group], name));
}
