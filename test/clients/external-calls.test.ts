import { expect, test } from "vitest";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { toAiSdkTools } from "@hasp/adapters/ai-sdk";

const chooseDate = buildTool({
  name: "choose_date",
  description: "Asks the person for a date.",
  input: { type: "object", properties: {}, additionalProperties: false },
  output: { type: "string", format: "date" },
  behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
  external: true,
});

const runIn = (tools: ReturnType<typeof toAiSdkTools>) => tools["choose_date"]?.execute({}, { toolCallId: "1" });

test("a stored call that somebody else executes waits, and is answered once it is completed", async () => {
  const durable = durableCalls({ store: memoryCallStore() });
  const dispatcher = createDispatcher({ tools: [chooseDate], extensions: [durable] });
  const turns = dispatcher.use(durable);
  const tools = toAiSdkTools(dispatcher, { durable, turnId: (callId) => `chat/${callId}` });
  expect((await runIn(tools))?.error).toMatchObject({
    code: "waiting",
    effect: "unknown",
    message: expect.stringContaining("is executed elsewhere, and its result is not there yet") as string,
  });
  const outcome = await turns.resume("chat/1");
  const [external] = outcome.status === "waiting" ? (outcome.externals ?? []) : [];
  await turns.complete(external?.id ?? "", { output: "2030-01-31" });
  expect(await runIn(tools)).toMatchObject({ isError: false, output: "2030-01-31" });
});

test("a call that somebody else executes is refused where there is neither a store nor anybody", async () => {
  const tools = toAiSdkTools(createDispatcher({ tools: [chooseDate] }));
  expect((await runIn(tools))?.error).toMatchObject({ code: "no-one-to-execute", effect: "none" });
});
