import type { JsonValue } from "@hasp/schema";
import type { ToolToEmit } from "../../emitters/emitter.js";
import { emitters } from "../../emitters/index.js";
import { manifestPart } from "../../emitters/manifest.js";
import { proveTool } from "./prove-tool.js";

/**
 * All that one tool adds to a build. Plain data, which rests on nothing but the {@link ToolToEmit} that it was made
 * from: it may be kept, and used again in a build in which that is the same.
 */
export interface EmittedTool {
  readonly name: string;
  /** By the name of the emitter that made it and will put it into files. */
  readonly parts: { readonly [emitter: string]: JsonValue };
  /** Its entry in the manifest, as text. */
  readonly manifest: string;
}

/**
 * Makes the parts of one tool and proves them. Pure; throws where what was written is not what was meant, a fault of
 * hasp.
 */
export function emitTool(tool: ToolToEmit): EmittedTool {
  const parts = Object.fromEntries(emitters.map((emitter) => [emitter.name, emitter.part(tool)]));
  const emitted = { name: tool.tool.name, parts, manifest: manifestPart(tool) };
  proveTool(tool, emitted);
  return emitted;
}
