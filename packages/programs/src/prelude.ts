/**
 * The code that QuickJS evaluates before a program. It defines `tools`, `ToolError` and `console`, and removes the
 * clock, randomness, whatever depends on garbage collection, and text that runs as code: a person who sees a program
 * must see its calls. It keeps the functions it needs, since the program may replace any global. Text crosses as JSON,
 * since QuickJS cuts the strings it passes to the host, or receives from it, at their first NUL.
 */
export const PRELUDE: string = String.raw`(function (code, ask, print, end) {
  "use strict";
  const { stringify, parse } = JSON;
  const { construct, defineProperty, getPrototypeOf } = Reflect;
  const text = String;
  const OwnDate = Date;
  const OwnPromise = Promise;
  const AsyncFunction = (async () => {}).constructor;

  class ToolError extends Error {
    constructor(tool, { code, message, effect, reference }) {
      super(message);
      this.code = code;
      this.tool = tool;
      this.effect = effect;
      if (reference !== undefined) this.reference = reference;
    }
  }
  const hide = (object, name, value) =>
    defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
  hide(ToolError.prototype, "name", "ToolError");
  hide(globalThis, "ToolError", ToolError);

  const none = (what, instead) => () => {
    throw new Error("A program has no " + what + ": it must do the same when it runs again. " + instead);
  };
  const noClock = none("clock", "Pass the time to the program, or call a tool that tells it.");
  function ProgramDate(...parts) {
    return new.target === undefined || parts.length === 0 ? noClock() : construct(OwnDate, parts, new.target);
  }
  ProgramDate.prototype = OwnDate.prototype;
  hide(ProgramDate, "name", "Date");
  hide(ProgramDate, "now", noClock);
  hide(ProgramDate, "parse", OwnDate.parse);
  hide(ProgramDate, "UTC", OwnDate.UTC);
  hide(OwnDate.prototype, "constructor", ProgramDate);
  hide(globalThis, "Date", ProgramDate);
  hide(Math, "random", none("randomness", "Pass the numbers to the program."));
  for (const name of ["Atomics", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry", "performance"]) {
    delete globalThis[name];
  }

  function NoFunction() {
    throw new Error("A program cannot run text as code. Write the code itself.");
  }
  NoFunction.prototype = getPrototypeOf(NoFunction);
  hide(NoFunction, "name", "Function");
  for (const made of [NoFunction, function* () {}, async () => {}, async function* () {}]) {
    hide(getPrototypeOf(made), "constructor", NoFunction);
  }
  hide(globalThis, "Function", NoFunction);
  hide(globalThis, "eval", () => NoFunction());

  const shown = (value) => {
    if (typeof value === "string") return value;
    try {
      return (typeof value === "object" && value !== null && !(value instanceof Error) && stringify(value)) || text(value);
    } catch {
      return "[a value without text]";
    }
  };
  let hasRoom = true;
  const log = (...values) => {
    if (!hasRoom) return;
    let line = "";
    for (let index = 0; index < values.length; index += 1) line += (index > 0 ? " " : "") + shown(values[index]);
    hasRoom = print(stringify(line));
  };
  const console = {};
  for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = log;
  hide(globalThis, "console", console);

  const waiting = { __proto__: null };
  const call = (name, input) =>
    new OwnPromise((resolve, reject) => {
      const refuse = (reason) =>
        reject(new ToolError(name, { code: "input-not-json", message: "The input is not JSON: " + reason, effect: "none" }));
      let json;
      try {
        json = input === undefined ? "{}" : stringify(input);
      } catch (error) {
        return refuse(shown(error));
      }
      if (typeof json !== "string") return refuse("it is a " + typeof input + ".");
      // The input stays, so that the memory limit bounds all that is on its way.
      waiting[ask(stringify(name), json)] = { name, json, resolve, reject };
    });
  const methods = { __proto__: null };
  const tools = new Proxy(methods, {
    get(_target, name) {
      // A promise would look up "then".
      if (typeof name !== "string" || name === "then") return undefined;
      return (methods[name] ??= (input) => call(name, input));
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
  });
  defineProperty(globalThis, "tools", { value: tools, enumerable: true });

  const part = (value, name) => {
    try {
      const found = value[name];
      return typeof found === "string" ? found : "";
    } catch {
      return "";
    }
  };
  const describe = (error) => {
    const name = part(error, "name");
    const message = part(error, "message");
    return name === "" && message === "" ? shown(error) : (name || "Error") + ": " + message;
  };
  const fail = (kind, error) => end(kind, describe(error), part(error, "stack"));

  let run;
  try {
    run = new AsyncFunction(parse(code));
  } catch (error) {
    fail("program-invalid", error);
  }
  if (run !== undefined) {
    (async () => {
      let value;
      try {
        value = await run();
      } catch (error) {
        return fail("program-threw", error);
      }
      try {
        end("returned", stringify(value) ?? "null", "");
      } catch (error) {
        end("program-threw", "The result is not JSON: " + shown(error), "");
      }
    })();
  }

  return (n, value, error) => {
    const { name, resolve, reject } = waiting[n];
    delete waiting[n];
    if (error === undefined) resolve(parse(value));
    else reject(new ToolError(name, parse(error)));
  };
})`;
