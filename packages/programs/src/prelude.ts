/**
 * The code that QuickJS evaluates before a program. It defines `ToolError` and `console`, and removes the clock,
 * randomness, whatever depends on garbage collection, and text that runs as code: a person who sees a program must see
 * its calls. So `tools` is a parameter of the program, which nothing but its name reaches. It keeps the functions it
 * needs, since the program may replace any global. Text crosses as JSON, since QuickJS cuts the strings it passes to the
 * host, or receives from it, at their first NUL.
 */
export const PRELUDE: string = String.raw`(function (program, ask, print, end) {
  "use strict";
  const { stringify, parse } = JSON;
  const { apply, construct, defineProperty, getPrototypeOf } = Reflect;
  const { keys, prototype: plain } = Object;
  const { isArray } = Array;
  const { get: lookUp, set: keep } = WeakMap.prototype;
  const text = String;
  const OwnDate = Date;
  const OwnError = Error;
  const OwnTypeError = TypeError;
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

  const part = (value, name) => {
    try {
      const found = value[name];
      return typeof found === "string" ? found : "";
    } catch {
      return "";
    }
  };
  // The promises of calls, with the tool of each.
  const promised = new WeakMap();
  const describeLoss = (value) => {
    if (typeof value === "number") return value - value === 0 ? undefined : "is " + value;
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return "is a " + typeof value;
    if (typeof value !== "object" || value === null) return undefined;
    if (value instanceof OwnPromise) {
      const name = apply(lookUp, promised, [value]);
      return name === undefined ? "is a promise: await it" : "is the promise of a call: write await tools." + name + "(…)";
    }
    const prototype = getPrototypeOf(value);
    if (prototype === plain || prototype === null || isArray(value)) return undefined;
    if (!(value instanceof OwnError) && keys(value).length > 0) return undefined;
    const name = part(prototype.constructor, "name");
    return name === "Object" ? undefined : "is of the class " + (name || "unknown");
  };
  // Prints an input, and throws for whatever JSON.stringify would lose silently.
  const toJson = (input) => {
    const holders = [];
    const path = [];
    return stringify(input, function (key, value) {
      while (holders.length > 0 && holders[holders.length - 1] !== this) holders.length = path.length -= 1;
      const place = () => {
        let all = "";
        for (let index = 1; index < path.length; index += 1) all += "/" + path[index];
        return holders.length === 0 ? "it" : all + "/" + key;
      };
      // JSON leaves out a member that is undefined.
      const loss = value === undefined && isArray(this) ? "is undefined" : describeLoss(value);
      if (loss !== undefined) throw new OwnTypeError(place() + " " + loss);
      if (typeof value === "object" && value !== null) {
        holders[holders.length] = value;
        path[path.length] = key;
      }
      return value;
    });
  };

  const waiting = { __proto__: null };
  const call = (name, input) => {
    const promise = new OwnPromise((resolve, reject) => {
      let json;
      try {
        json = input === undefined ? "{}" : toJson(input);
      } catch (error) {
        const message = "The input is not JSON: " + (part(error, "message") || shown(error));
        return reject(new ToolError(name, { code: "input-not-json", message, effect: "none" }));
      }
      // The input stays, so that the memory limit bounds all that is on its way.
      waiting[ask(stringify(name), json)] = { name, json, resolve, reject };
    });
    apply(keep, promised, [promise, name]);
    return promise;
  };
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

  const describe = (error) => {
    const name = part(error, "name");
    const message = part(error, "message");
    return name === "" && message === "" ? shown(error) : (name || "Error") + ": " + message;
  };
  const fail = (kind, error) => end(kind, describe(error), part(error, "stack"));

  // QuickJS leaves a for await without waiting for the end of its generator, so the loop does that itself.
  const { asyncIterator } = Symbol;
  const follow = () => {
    const loop = {
      ended: undefined,
      of(iterable) {
        const create = iterable[asyncIterator];
        if (create === undefined || create === null) return iterable;
        const inner = apply(create, iterable, []);
        const { next } = inner;
        const iterator = {
          next: () => apply(next, inner, []),
          get return() {
            const end = inner.return;
            return end === undefined || end === null ? undefined : () => (loop.ended = apply(end, inner, []));
          },
        };
        return { [asyncIterator]: () => iterator };
      },
    };
    return loop;
  };

  let run;
  try {
    const rewritten = parse(program);
    run = new AsyncFunction("tools", rewritten.follow, rewritten.code);
  } catch (error) {
    fail("program-invalid", error);
  }
  if (run !== undefined) {
    (async () => {
      let value;
      try {
        value = await run(tools, follow);
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
