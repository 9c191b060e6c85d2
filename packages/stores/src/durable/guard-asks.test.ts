import { expect, test } from "vitest";
import type { DispatcherOptions } from "@hasp/runtime";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { callsOf, createHost, writer } from "./durable.testing.js";

const guards: NonNullable<NonNullable<DispatcherOptions["hooks"]>["guard"]>[] = [
  () => ({ decision: "ask", reason: "It is late" }),
  () => ({ decision: "ask" }) as never,
];

test.each(guards)(
  "a guard that asks is heard in the process that resumes the turn, where no hook runs again",
  async (guard) => {
    for (const decision of ["allow", "deny"] as const) {
      const store = memoryCallStore();
      const ran: string[] = [];
      const process = (hooks: DispatcherOptions["hooks"] = {}) =>
        createHost({ tools: [writer("send", () => ran.push("send"))], callStore: store, hooks });
      await process({ guard }).run(callsOf("send"), { turnId: "t" });
      // A process may die and begin again as often as it likes.
      for (let round = 0; round < 2; round += 1) expect((await process().resume("t")).status).toBe("waiting");
      const [question] = await store.questions({ isOpen: true });
      await process().answer(question?.id ?? "", { decision });
      expect((await process().resume("t")).results[0]?.isError).toBe(decision === "deny");
      expect(ran).toEqual(decision === "allow" ? ["send"] : []);
    }
  },
);
