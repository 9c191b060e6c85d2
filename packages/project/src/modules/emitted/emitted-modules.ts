import * as codegen from "@hasp/runtime/codegen/v1";
import { type Context, createContext, Script } from "node:vm";
import { resolveImportedPath } from "@hasp/compiler/layout";
import { parseEmitted, type ParsedEmitted } from "./parse-emitted.js";

export type Exports = Readonly<Record<string, unknown>>;

/**
 * Supplies a module that is not generated: `from` is a package's specifier, or the path of a user's own file. Throws if
 * generated code must not import it.
 */
type ForeignModules = (from: string) => Exports;

/**
 * The modules of one build, each run on demand, in a realm that holds only the language and `globals`. The user's own
 * modules never run.
 */
export class EmittedModules {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #foreign: ForeignModules;
  readonly #globals: Exports;
  /** The same modules without `globals`: modules that read no global run only once. */
  readonly #plain: EmittedModules;
  readonly #realm: Context;
  readonly #loaded = new Map<string, Exports | undefined>();
  readonly #parsed: Map<string, ParsedEmitted>;
  /** True for modules that read one of `globals`, themselves or through imports. */
  readonly #readers = new Map<string, boolean>();

  constructor(
    texts: ReadonlyMap<string, string>,
    foreign: ForeignModules,
    globals: Exports = {},
    plain?: EmittedModules,
  ) {
    this.#texts = texts;
    this.#foreign = foreign;
    this.#globals = globals;
    this.#plain = plain ?? this;
    this.#parsed = plain === undefined ? new Map<string, ParsedEmitted>() : plain.#parsed;
    this.#realm = createContext(Object.assign(Object.create(null) as object, globals), {
      codeGeneration: { strings: false, wasm: false },
    });
  }

  /** Returns the modules that a bundler makes by defining `globals`. */
  withGlobals(globals: Exports): EmittedModules {
    return new EmittedModules(this.#texts, this.#foreign, globals, this.#plain);
  }

  load(path: string): Exports {
    if (this.#plain !== this && !this.#readsGlobals(path)) return this.#plain.load(path);
    if (this.#loaded.has(path)) return this.#loaded.get(path) ?? this.#exportsOfLater(path);
    this.#loaded.set(path, undefined);
    const script = new Script(this.#parse(path).script, { filename: path });
    const run = script.runInContext(this.#realm) as (load: Loader, meta: { readonly url: string }) => Exports;
    const load = (specifier: string): Exports => {
      const from = specifier.startsWith(".") ? resolveImportedPath(path, specifier) : specifier;
      return this.#texts.has(from) ? this.load(from) : this.#foreign(from);
    };
    const moduleAt = (specifier: string): ModuleReference => new ModuleReference(resolveImportedPath(path, specifier));
    const whole = (specifier: string): Exports | ModuleReference =>
      this.#texts.has(resolveImportedPath(path, specifier)) ? load(specifier) : moduleAt(specifier);
    const exports = run(Object.assign(load, { moduleAt, whole }), { url: path });
    this.#loaded.set(path, exports);
    return exports;
  }

  /** Returns the exports of a running module: functions, which may be called afterwards. */
  #exportsOfLater(path: string): Exports {
    return new Proxy<Record<string, unknown>>(
      {},
      {
        get: (_, name: string) => () => {
          const made = this.#loaded.get(path)?.[name];
          return typeof made === "function" ? (made as () => unknown)() : fail(`${path} imports itself`);
        },
      },
    );
  }

  #parse(path: string): ParsedEmitted {
    const known = this.#parsed.get(path);
    if (known !== undefined) return known;
    const parsed = parseEmitted(this.#texts.get(path) ?? fail(`there is no ${path}`));
    this.#parsed.set(path, parsed);
    return parsed;
  }

  #readsGlobals(path: string): boolean {
    const known = this.#readers.get(path);
    if (known !== undefined) return known;
    // Modules may import each other.
    this.#readers.set(path, false);
    const { script, imports } = this.#parse(path);
    const reads =
      Object.keys(this.#globals).some((name) => script.includes(name)) ||
      imports.some((specifier) => {
        const from = resolveImportedPath(path, specifier);
        return this.#texts.has(from) && this.#readsGlobals(from);
      });
    this.#readers.set(path, reads);
    return reads;
  }
}

/** A loader of the values that a module imports by name, or `whole`. `moduleAt` stands for an unloaded user module. */
type Loader = ((specifier: string) => Exports) & {
  readonly moduleAt: (specifier: string) => ModuleReference;
  readonly whole: (specifier: string) => Exports | ModuleReference;
};

export class ModuleReference {
  readonly module: string;

  constructor(module: string) {
    this.module = module;
  }
}

function fail(reason: string): never {
  throw new Error(reason);
}

/**
 * Runs generated modules in this process, for the tests of specs. `runtime` supplies their imports from
 * `@hasp/runtime`; conditions call the runtime's own functions.
 */
export function runModules(
  files: readonly { readonly path: string; readonly text: string }[],
  runtime: ForeignModules = () => ({}),
): (path: string) => Exports {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const modules = new EmittedModules(texts, (from) => ({ ...codegen, ...runtime(from) }));
  return (path) => modules.load(path);
}
