import type { JsonValue } from "@hasp/schema";
import { canonicalText } from "@hasp/schema/vocabulary";
import { copyJson } from "../../runtime/src/json/copy-json.js";
import { sha256 } from "../../runtime/src/json/sha256.js";
import type { ListedTool } from "./mcp-client.js";

/** Digests a tool as its server describes it (SHA-256 of name, texts, schemas and hints). Throws if it is not JSON. */
export function fingerprint({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const said: JsonValue = copyJson({ name, title, description, inputSchema, outputSchema, annotations });
  return sha256(canonicalText(said));
}
