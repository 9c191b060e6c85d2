import type { JsonObject } from "@hasp/schema";
import { copyJson } from "../json/copy-json.js";
import { deepFreeze } from "../json/deep-freeze.js";
import { isObject } from "../json/is-object.js";
import type { ToolContent } from "../tool/definition.js";
import { textContent } from "./text.js";

/** Content blocks from a string or a list of blocks. Throws a `TypeError` for a malformed block. */
export function toContent(given: unknown): readonly ToolContent[] {
  if (typeof given === "string") return textContent(given);
  if (!Array.isArray(given)) throw new TypeError("content must be a string or a list of blocks");
  return given.map(toBlock);
}

/** A resource with those of its parts that are strings. */
export function resourceContent(parts: {
  readonly uri: string;
  readonly mimeType?: unknown;
  readonly text?: unknown;
  readonly blob?: unknown;
}): ToolContent {
  const { uri, mimeType, text, blob } = parts;
  return {
    type: "resource",
    uri,
    ...(typeof mimeType === "string" && { mimeType }),
    ...(typeof text === "string" && { text }),
    ...(typeof blob === "string" && { blob }),
  };
}

function toBlock(block: unknown, index: number): ToolContent {
  const { type, text, data, mimeType, uri, blob, mcp } = (typeof block === "object" && block !== null ? block : {}) as {
    readonly [key in "type" | "text" | "data" | "mimeType" | "uri" | "blob" | "mcp"]?: unknown;
  };
  const original = isObject(mcp) ? { mcp: deepFreeze(copyJson(mcp)) as JsonObject } : {};
  if (type === "text" && typeof text === "string") return { type, text, ...original };
  if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
    return { type, data, mimeType, ...original };
  }
  if (type === "resource" && typeof uri === "string") {
    return { ...resourceContent({ uri, mimeType, text, blob }), ...original };
  }
  throw new TypeError(
    `content block ${index} must be { type: "text", text }, { type: "image", data, mimeType } or { type: "resource", uri }`,
  );
}
