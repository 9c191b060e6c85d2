import { dropUndefined } from "@hasp/base/json";
import type { Classification, ToolContent } from "@hasp/runtime";
import type { JsonObject, JsonValue } from "@hasp/base/json";
import type { CallReport } from "@hasp/compiler/run";
import type { Paint } from "../reporters/paint.js";
import { printVisibleLines, printVisibleText } from "@hasp/base/diagnostics";

/** Formats a call for people: a line per phase, then the text for the model. */
export function callText({ preview, permission, attempts, progress, result }: CallReport, paint: Paint): string {
  const lines: string[] = [];
  const say = (phase: string, text: string, style?: "good" | "error"): void => {
    const shown = printVisibleText(text);
    lines.push(`${paint("faint", phase.padEnd(11))} ${style === undefined ? shown : paint(style, shown)}`);
  };
  if (preview.decision === "invalid") {
    say(preview.phase, preview.code, "error");
    lines.push("", printVisibleLines(preview.reason));
    return `${lines.join("\n")}\n`;
  }
  say("tool", preview.toolName);
  say("input", JSON.stringify(preview.input));
  say("class", wordsOf(preview.classification));
  if (result === undefined) {
    const reason = preview.decision === "ask" ? "" : `: ${preview.reason}`;
    say("permission", `${DECISIONS[preview.decision]}${reason}`, preview.decision === "deny" ? "error" : undefined);
    return `${lines.join("\n")}\n`;
  }
  const { error } = result;
  if (permission?.isAllowed === true) say("permission", `allowed: ${permission.reason}`);
  else if (permission !== undefined) say("permission", `refused: ${error?.code ?? "denied"}`, "error");
  for (const update of progress.slice(0, MOST_PROGRESS)) {
    say("progress", typeof update === "string" ? update : JSON.stringify(update));
  }
  if (progress.length > MOST_PROGRESS) say("progress", `… and ${progress.length - MOST_PROGRESS} more reports`);
  if (attempts > 0) say("execute", `${result.durationMs.toFixed(1)} ms${attempts > 1 ? `, ${attempts} attempts` : ""}`);
  if (error === undefined) say("result", "ok", "good");
  else say("result", `${error.phase}: ${error.code}; effect: ${error.effect}`, "error");
  lines.push("", ...result.content.map((block) => printVisibleLines(blockText(block))));
  if (error?.code === "no-one-to-ask") lines.push("", `Pass "--allow" to run the call without asking.`);
  return `${lines.join("\n")}\n`;
}

const MOST_PROGRESS = 3;

export function callData({ preview, permission, attempts, progress, result }: CallReport): JsonObject {
  return {
    preview: {
      ...preview,
      ...("classification" in preview && { classification: { ...preview.classification } }),
    } as JsonObject,
    ...(permission && { permission: { ...permission } }),
    attempts,
    progress,
    ...(result && {
      result: {
        isError: result.isError,
        content: result.content as unknown as JsonValue,
        ...dropUndefined({ output: result.output }),
        ...(result.error !== undefined && { error: { ...result.error } }),
        durationMs: result.durationMs,
      },
    }),
  };
}

const DECISIONS = { allow: "would be allowed", ask: "a person would be asked", deny: "would be refused" } as const;

function wordsOf({ class: name, isReadOnly, isDestructive, isIdempotent, requiresPermission }: Classification): string {
  return [
    name,
    ...(isReadOnly ? ["only reads"] : []),
    ...(isDestructive ? ["may destroy"] : []),
    ...(isIdempotent === "withKey" ? ["safe to repeat with its key"] : isIdempotent ? ["safe to repeat"] : []),
    ...(requiresPermission ? ["needs permission"] : []),
  ].join(", ");
}

function blockText(block: ToolContent): string {
  if (block.type === "text") return block.text;
  if (block.type === "image") return `[an image, ${block.mimeType}]`;
  if (block.text !== undefined) return block.text;
  return block.blob === undefined ? `[${block.uri}]` : `[${block.uri}, ${block.mimeType ?? "bytes"}]`;
}
