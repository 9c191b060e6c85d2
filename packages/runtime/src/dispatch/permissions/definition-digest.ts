import { canonicalText } from "@hasp/schema/vocabulary";
import type { JsonValue } from "@hasp/schema";
import { sha256 } from "../../json/sha256.js";
import type { NamedTool } from "./tool-pattern.js";

/** Digest of what a person may have seen of a tool: another definition is another tool. */
export function definitionDigest({ tool }: NamedTool): string {
  const { name, title = "", description, input, output = null, metadata } = tool;
  return sha256(canonicalText({ name, title, description, input, output, metadata } as unknown as JsonValue));
}
