import assert from "node:assert/strict";
import test from "node:test";
import { testDialect, testEmitter, testHandlerKind, testRule } from "hasp/plugin";
import plugin from "./index.js";
import { sendToQueue } from "./queue.js";

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

test("acme/queue names the queue and the order", async () => {
  const spec = (queue) => `hasp: 1
name: send_order
description: Send one order.
input: { type: object, required: [id], properties: { id: { type: string } } }
output: { type: object, required: [sent], properties: { sent: { type: string } } }
handler: { acme/queue: { queue: ${queue} } }
`;
  const { send_order: send } = await testHandlerKind(plugin.handlerKinds[0], sendToQueue, [spec("orders")]);
  assert.deepEqual((await send({ id: "o1" })).output, { sent: "orders:o1" });
  assert.equal((await send({})).isError, true);
  await assert.rejects(testHandlerKind(plugin.handlerKinds[0], sendToQueue, [spec("7")]), /acme\/queue: .*queue/u);
});
