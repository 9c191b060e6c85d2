import { expect, test } from "vitest";
import { buildTool, createDispatcher, externalBy } from "../index.js";

interface Tools {
  readonly choose_date: { readonly input: { readonly title?: string }; readonly output: string };
  readonly other: { readonly input: object; readonly output: number };
}

test("functions by name execute their calls with typed input, and no call of a tool that they lack", async () => {
  const tools = ["choose_date", "other", "toString"].map((name) =>
    buildTool({
      name,
      description: "Asks the person.",
      input: { type: "object", additionalProperties: true },
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
      external: true,
    }),
  );
  const external = externalBy<Tools>({ choose_date: ({ toolName, input }) => `${toolName}: ${input.title}` });
  // @ts-expect-error an output of another type
  externalBy<Tools>({ other: () => "many" });
  const calls = tools.map(({ name }) => ({ id: name, name, input: { title: "When?" } }));
  const results = await createDispatcher({ tools, external }).dispatch(calls);
  expect(results[0]).toMatchObject({ isError: false, content: [{ text: "choose_date: When?" }] });
  for (const { error } of results.slice(1)) {
    expect(error).toMatchObject({
      code: "not-executed",
      effect: "none",
      message: expect.stringContaining("nobody executes") as string,
    });
  }
});
