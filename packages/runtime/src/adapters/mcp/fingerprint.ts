import type { JsonValue } from "@hasp/schema";
import { canonicalText } from "@hasp/schema/vocabulary";
import { copyJson } from "../../json/copy-json.js";
import { sha256 } from "../../json/sha256.js";
import type { ListedTool } from "./mcp-client.js";

/** SHA-256 of all that a server says of a tool: name, texts, schemas and hints. Throws for what is no JSON. */
export function fingerprint({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const said: JsonValue = copyJson({ name, title, description, inputSchema, outputSchema, annotations });
  return sha256(canonicalText(said));
}
