import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startHasp } from "../cli/command-line.js";

/** A tool that the conformance suite calls. */
interface SuiteTool {
  /** The `input` of its spec, as JSON. Default: no arguments. */
  readonly input?: object;
  /** True if the person at the client is asked. */
  readonly isAsked?: boolean;
  /** The body of `execute`. */
  readonly body: string;
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const words = (text: string): string => `return toolResult({ content: ${JSON.stringify(text)} });`;
const blocks = (...content: readonly object[]): string => `return toolResult({ content: ${JSON.stringify(content)} });`;
const text = { type: "string", maxLength: 100, description: "A text." };

/** As the suite's README and scenarios describe them. */
const TOOLS: Readonly<Record<string, SuiteTool>> = {
  test_simple_text: { body: words("This is a simple text response for testing.") },
  test_image_content: { body: blocks({ type: "image", data: PIXEL, mimeType: "image/png" }) },
  test_audio_content: {
    body: blocks({
      type: "text",
      // What models that cannot hear are shown; a block that says something else is sent as that.
      text: `[a block of type "audio", which cannot be shown here]`,
      mcp: { type: "audio", data: SILENCE, mimeType: "audio/wav" },
    }),
  },
  test_embedded_resource: {
    body: blocks({ type: "resource", uri: "test://embedded-resource", mimeType: "text/plain", text: "Embedded." }),
  },
  test_multiple_content_types: {
    body: blocks(
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PIXEL, mimeType: "image/png" },
      { type: "resource", uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"value":123}' },
    ),
  },
  test_error_handling: { body: 'throw new Error("This tool intentionally returns an error for testing");' },
  test_tool_with_progress: {
    body: `for (const percent of [0, 50, 100]) {
    progress({ progress: percent, total: 100 });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  ${words("Done.")}`,
  },
  json_schema_2020_12_tool: {
    input: {
      type: "object",
      $defs: {
        address: { $anchor: "addressDef", type: "object", properties: { street: text, city: text } },
      },
      properties: {
        name: text,
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"], description: "How." },
        phone: text,
        email: text,
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    body: words("Checked."),
  },
  test_headers: {
    input: {
      type: "object",
      required: ["region"],
      properties: { region: { ...text, "x-mcp-header": "Region" }, query: text },
    },
    body: words("In the region."),
  },
  // What hasp asks is whether a call may run.
  ...Object.fromEntries(
    ["elicitation", "request_state", "tampered_state", "capabilities"].map((name) => [
      `test_input_required_result_${name}`,
      { isAsked: true, body: words("state-ok") },
    ]),
  ),
};

const specOf = (name: string, { input, isAsked = false }: SuiteTool): string =>
  JSON.stringify({
    hasp: 1,
    name,
    description: `Does what the conformance suite asks of ${name}. Use it in the suite. Do not use it elsewhere.`,
    input: input ?? { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: isAsked, isOpenWorld: false },
    limits: { maxResultSizeChars: 20_000 },
  });

function handlerOf(name: string, { body }: SuiteTool): string {
  const handler = `${name.replace(/(?:^|_)(?<letter>[a-z0-9])/gu, (_all, letter: string) => letter.toUpperCase())}Handler`;
  return `import { toolResult } from "@hasp/runtime";
import type { ${handler} } from "../generated/tools/${name}.js";
export const execute: ${handler}["execute"] = async (_input, { progress }) => {
  ${body}
};
`;
}

/** Writes the project whose tools the suite calls, approves what it claims and builds it. Returns its folder. */
export function createConformanceProject(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "hasp-conformance-"));
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  write("package.json", '{ "name": "conformance", "version": "1.0.0", "type": "module", "private": true }');
  write("hasp.config.yaml", "specs: [specs]\ndialects: [mcp]\n");
  for (const [name, tool] of Object.entries(TOOLS)) {
    write(`specs/${name}.tool.yaml`, specOf(name, tool));
    write(`src/tools/${name.replaceAll("_", "-")}.ts`, handlerOf(name, tool));
  }
  for (const command of [["approve", ...Object.keys(TOOLS), "--yes", "--reason", "the suite calls it"], ["build"]]) {
    const { code, out, error } = startHasp(folder, command);
    if (code !== 0) throw new Error(`hasp ${command.join(" ")} ended with ${code}:\n${out}\n${error}`);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
