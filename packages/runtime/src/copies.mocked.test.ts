import { afterEach, expect, test, vi } from "vitest";
import { reader } from "./dispatch/tools.testing.js";

type Runtime = typeof import("./index.js") &
  typeof import("./doors/call-store.js") &
  typeof import("./doors/extension.js");

/** Loads another copy of the package, as a program has it where two packages bundle one each. */
async function loadCopy(): Promise<Runtime> {
  vi.resetModules();
  return {
    ...(await import("./index.js")),
    ...(await import("./doors/call-store.js")),
    ...(await import("./doors/extension.js")),
  };
}

afterEach(() => vi.doUnmock("./tool/version.js"));

test("an error of one copy of the package is recognized by another", async () => {
  const [one, two] = [await loadCopy(), await loadCopy()];
  expect(one.NotExecuted).not.toBe(two.NotExecuted);
  const errors = [
    [new one.NotExecuted("no"), two.NotExecuted],
    [new one.TurnConflict("turn", "calls"), two.TurnConflict],
  ] as const;
  for (const [error, other] of errors) expect(error instanceof other).toBe(true);
  expect(new Error("no") instanceof two.NotExecuted).toBe(false);
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error("read");
      },
    },
  );
  expect([hostile instanceof two.NotExecuted, new one.UnknownTurn("turn") instanceof two.TurnConflict]).toEqual([
    false,
    false,
  ]);
});

test("an error is an instance of its own class and of those above it, and of no subclass", async () => {
  const { NotExecuted, TurnConflict } = await loadCopy();
  class NotConnected extends NotExecuted {}
  class OtherCalls extends TurnConflict {}
  const [mine, base] = [new NotConnected("no"), new NotExecuted("no")];
  expect([mine instanceof NotExecuted, mine instanceof NotConnected, base instanceof NotConnected]).toEqual([
    true,
    true,
    false,
  ]);
  expect(new TurnConflict("turn", "calls") instanceof OtherCalls).toBe(false);
  expect(new OtherCalls("turn", "calls") instanceof TurnConflict).toBe(true);
});

test("a refusal of one copy of the package keeps its words in another", async () => {
  vi.resetModules();
  const one = await import("./results/call-errors.js");
  vi.resetModules();
  const two = await import("./results/call-errors.js");
  expect(one.refusal("permission/denied", { reason: "No." }) instanceof two.Refusal).toBe(true);
  expect(new Error("No.") instanceof two.Refusal).toBe(false);
});

test("permissions of one copy hold in another of the same version, and are refused by any other", async () => {
  const one = await loadCopy();
  const permissions = one.createPermissions({ deny: ["look"] });
  const two = await loadCopy();
  const [result] = await two
    .createDispatcher({ tools: [reader("look")], permissions })
    .dispatch([{ id: "1", name: "look", input: {} }]);
  expect(result?.error?.code).toBe("denied");
  vi.doMock("./tool/version.js", () => ({ VERSION: "99.0.0" }));
  const other = await loadCopy();
  expect(() => other.createDispatcher({ tools: [], permissions })).toThrow(
    "created by another version of @hasp/runtime, which this one cannot read",
  );
});

test("an extension of one copy refuses calls of another of the same version, and is refused by any other", async () => {
  const one = await loadCopy();
  const call = { vote: () => "never" as never };
  const faulty = one.defineExtension({
    name: "budget",
    attach: () => ({ api: undefined, turn: () => ({ call: () => call }) }),
  });
  const two = await loadCopy();
  const [result] = await two
    .createDispatcher({ tools: [reader("look")], extensions: [faulty] })
    .dispatch([{ id: "1", name: "look", input: {} }]);
  expect(result?.error).toMatchObject({ phase: "permission", code: "extension-failed" });
  vi.doMock("./tool/version.js", () => ({ VERSION: "99.0.0" }));
  const other = await loadCopy();
  expect(() => other.createDispatcher({ tools: [], extensions: [faulty] })).toThrow(
    'the extension "budget" was created by another version of @hasp/runtime, which this one cannot read',
  );
});
