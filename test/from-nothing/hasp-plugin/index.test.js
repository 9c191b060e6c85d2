import assert from "node:assert/strict";
import test from "node:test";
import { testDialect, testEmitter, testRule } from "hasp/plugin";
import plugin from "./index.js";

for (const rule of plugin.rules) test(rule.id, () => testRule(rule));

test("acme/chat says a length in words", async () => {
  const spec = `hasp: 1
name: find_order
description: Find one order.
input: { type: object, required: [id], properties: { id: { type: string, maxLength: 9 } } }
`;
  const { find_order: entry } = await testDialect(plugin.dialects[0], [spec]);
  assert.equal(entry.kind, "function");
  assert.deepEqual(entry.args.properties.id, { description: "At most 9 characters.", type: "string" });
});

test("acme/python writes a TypedDict for each input", async () => {
  const spec = `hasp: 1
name: find_order
description: Find one order.
input: { type: object, required: [id], properties: { id: { type: string }, limit: { type: integer } } }
`;
  assert.deepEqual(await testEmitter(plugin.emitters[0], [spec]), {
    "tools.pyi": `from typing import Any, NotRequired, TypedDict

class find_order_input(TypedDict):
    id: str
    limit: NotRequired[int]
`,
  });
});
