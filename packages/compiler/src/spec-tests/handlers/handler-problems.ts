import { declarationOf } from "../../model/handlers.js";
import type { SpecTest } from "../../model/tool-spec.js";
import type { FlatTool } from "../../model/tool.js";
import { isAboutHandler, judgeHandler, type UnmetExpectation } from "./judge-handler.js";
import { type HandlerModule, runDeclaredHandler } from "./run-declared-handler.js";

export async function handlerProblems(
  tool: FlatTool,
  test: SpecTest,
  module: HandlerModule | undefined,
): Promise<readonly UnmetExpectation[]> {
  if (!isAboutHandler(test)) return [];
  if (declarationOf(tool.spec) === undefined) return [{ message: OWN_HANDLER, at: atOf(test) }];
  if (test.respond === undefined) return [{ message: NO_ANSWER, at: atOf(test) }];
  return module === undefined ? [] : judgeHandler(test, await runDeclaredHandler(tool, module, test));
}

function atOf({ respond, expect }: SpecTest): string {
  if (respond !== undefined) return "respond";
  return `expect/${["output", "error", "request"].find((part) => Object.hasOwn(expect, part)) ?? ""}`;
}

const OWN_HANDLER =
  "The handler is your own code, which `hasp test` does not run; only a handler that the spec declares can be tested that way.";
const NO_ANSWER = 'The handler does not run, because the test states no answer for it. Add "respond".';
