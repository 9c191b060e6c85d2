import { expect, test } from "vitest";
import { compile } from "@hasp/compiler";
import { joinPlugins } from "@hasp/compiler/plugins";
import { placeLines } from "./side-by-side.js";

/** Maps the lines of an entry to the lines of the spec. */
async function linesOf(spec: string, dialect: "mcp" | "anthropic"): Promise<readonly string[]> {
  const uri = "specs/a.tool.yaml";
  const { toolsets } = await compile(
    [{ uri, role: "spec", text: spec }],
    { dialects: [{ id: dialect, strict: false, onUncarried: "error" }], unlocked: true },
    { emits: false, plugins: joinPlugins([]) },
  );
  const lowered = toolsets[0]?.lists[0]?.tools[0];
  if (lowered === undefined) throw new Error("the tool is in no list");
  const written = spec.split("\n");
  return placeLines(lowered).flatMap(({ text, location }) =>
    location === undefined
      ? []
      : [`${text.trim()} <- ${written[location.range.start.line - 1]?.trim() ?? location.range.start.line}`],
  );
}

test("an output schema of the same keys comes from the lines of the output, not of the input", async () => {
  const spec = `hasp: 1
name: read_thing
description: Reads a thing of which somebody knows the id.
input:
  type: object
  properties:
    id: { type: string, maxLength: 9 }
  required: [id]
output:
  type: object
  properties:
    id: { type: string, maxLength: 8 }
  required: [id]
`;
  expect(await linesOf(spec, "mcp")).toEqual([
    '"name": "read_thing", <- name: read_thing',
    '"description": "Reads a thing of which somebody knows the id.", <- description: Reads a thing of which somebody knows the id.',
    '"inputSchema": { <- input:',
    '"id": { <- id: { type: string, maxLength: 9 }',
    '"outputSchema": { <- output:',
    '"id": { <- id: { type: string, maxLength: 8 }',
  ]);
});

test("traces an entry with definitions to the author's lines", async () => {
  const address = `{ type: object, properties: { street: { type: string, description: ${"A street. ".repeat(8).trim()} }, zip: { type: string } }, required: [street] }`;
  const spec = `hasp: 1
name: send_parcel
description: Sends a parcel from one address to another one.
input:
  type: object
  properties:
    from: ${address}
    to: ${address}
  required: [from, to]
`;
  const lines = await linesOf(spec, "anthropic");
  expect(lines.filter((line) => line.includes('$ref"') || line.startsWith('"to"'))).toEqual([
    `"to": { <- to: ${address}`,
  ]);
  expect(lines.find((line) => line.startsWith('"street"'))).toBe(`"street": { <- from: ${address}`);
});
