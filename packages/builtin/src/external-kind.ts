import { code } from "@hasp/compiler/code";
import { defineHandlerKind, type HandlerKindParts } from "@hasp/compiler/handlers";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { closed } from "@hasp/compiler/model";
import { createRecordedCall } from "@hasp/compiler/plugin";
import type { BuiltInPlugin } from "@hasp/compiler/plugins";

/** Nothing is derived: what the spec says of such calls is a claim like any other. */
const externalParts: HandlerKindParts = {
  takesWholeInput: "unbound",
  references: () => [],
  effects: () => [],
  check: () => undefined,
  print: (_declaration, { types }) => ({
    imports: { [CODEGEN_ENTRIES.runtime]: ["externalHandler"] },
    comment: "Somebody else executes the calls: `external` of the dispatcher, or whoever completes them.",
    value: code`externalHandler<${types}>()`,
  }),
  expect: () => createRecordedCall("externalHandler", CODEGEN_ENTRIES.runtime, []),
  answer: {
    entry: CODEGEN_ENTRIES.runtime,
    replace: (_functions, { output, error }, record) => ({
      externalHandler: () => (input: unknown) => {
        record({ input });
        if (error !== undefined) throw new Error(String(error));
        return output;
      },
    }),
  },
};

/** Tools whose calls somebody else executes. */
export const external: BuiltInPlugin = {
  name: "external",
  handlerKinds: [
    defineHandlerKind<object>({
      name: "external",
      isBare: true,
      entries: {},
      formats: {
        declaration: closed({
          description:
            "Somebody else executes the calls: a page, a client or another process. The host gives `external` to the dispatcher, or completes stored calls.",
          properties: {},
        }),
        respond: closed({
          description: "The completion, for a tool that somebody else executes.",
          properties: {
            output: { description: "The output." },
            error: { description: "The reason why there is none.", type: "string" },
          },
        }),
        request: closed({
          description: "The call, for a tool that somebody else executes.",
          properties: { input: { description: "The input.", type: "object" } },
        }),
      },
      load: async () => externalParts,
    }),
  ],
};
