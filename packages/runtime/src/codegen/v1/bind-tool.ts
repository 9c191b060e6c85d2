import { loadOnce } from "../../tool/callback.js";
import type {
  ConcurrencyRule,
  ExecutionOptions,
  FlagClaim,
  Predicate,
  SemanticCheck,
  ToolDefinition,
  Tool,
} from "../../tool/definition.js";
import { FIELD_ENTRIES, fits, createMetadata, OUTPUT_CHECK, type ToolMetadata } from "../../tool/fields.js";
import { isCoercion, TOOL_KEYS, type ToolData } from "../../tool/keys.js";
import { makeToolWith, type LoadedExports, type LoadingDefinition } from "../../tool/make-tool.js";
import { readStated } from "../../tool/metadata.js";
import { allParts, type ToolParts } from "../../tool/tool-parts.js";
import type { StandardProperties } from "../../tool/standard-schema.js";
import { own, deepFreeze } from "@hasp/base/json";
import type { HandlerCheck } from "./handler.js";
import type { SpecCheck, SpecFlag, SpecPredicate, SpecRule, ToolSpec, ToolTypes } from "./tool-spec.js";

/** A tool with its spec, its handler and its types. */
export interface BoundTool<Types extends ToolTypes> extends Tool<Types["input"], Types["output"], Types["context"]> {
  readonly name: Types["name"];
  readonly "~standard": StandardProperties<Types["arguments"], Types["input"]>;
}

/** An `execute` that runs the handler's own in another process; created by `isolate` of `@hasp/handlers/isolation`. */
type IsolatedExecute = (input: unknown, options: ExecutionOptions<unknown>) => Promise<unknown>;

type Bind = <Types extends ToolTypes, Module extends object>(
  spec: ToolSpec<Types>,
  handler: Module & HandlerCheck<Types, Module>,
  isolated?: IsolatedExecute,
) => BoundTool<Types>;

type BindLazy = <Types extends ToolTypes, Module extends object>(
  spec: ToolSpec<Types>,
  load: () => Promise<Module & HandlerCheck<Types, Module>>,
  isolated?: IsolatedExecute,
) => BoundTool<Types>;

/**
 * Binds a spec to the module of its handler. A missing or mistyped export is a compile error that names it, or without
 * a type-checker a `TypeError` when the registry is loaded. `isolated` runs in place of the module's `execute`. Throws
 * a `TypeError` if the spec states limits for it and it is missing.
 */
export const bindTool: Bind = (spec, handler, isolated) =>
  boundTool(spec, presentExports(spec, handler), isolated, allParts);

/** Binds a spec to a handler whose module is imported once, on its first call. */
export const bindLazyTool: BindLazy = (spec, load, isolated) =>
  boundTool(spec, lazyExports(spec, loadOnce(load)), isolated, allParts);

/** Binds like {@link bindTool}, with no more than the parts that the spec states. */
export const bindSpec: Bind = (spec, handler, isolated) => boundTool(spec, presentExports(spec, handler), isolated);

/** Binds like {@link bindLazyTool}, with no more than the parts that the spec states. */
export const bindLazySpec: BindLazy = (spec, load, isolated) =>
  boundTool(spec, lazyExports(spec, loadOnce(load)), isolated);

function boundTool<Types extends ToolTypes>(
  spec: ToolSpec<Types>,
  exported: HandlerExports,
  isolated: IsolatedExecute | undefined,
  parts: ToolParts = spec.parts ?? {},
): BoundTool<Types> {
  if (spec.isolation !== undefined && isolated === undefined) {
    throw new TypeError(
      `The spec of ${spec.name} needs a process of its own, and is bound without one. Run \`hasp build\`, or pass \`isolate({ … })\` of @hasp/handlers/isolation.`,
    );
  }
  const execute = isolated ?? exported.execute;
  return makeToolWith(parts, definitionOf(deepFreeze(spec), { ...exported, execute })) as Tool as BoundTool<Types>;
}

function definitionOf(spec: ToolSpec, exported: HandlerExports): LoadingDefinition<unknown, unknown, unknown> {
  const { concurrency, behavior, visibility, limits } = completeMetadata(spec);
  const { featureGate, searchHint, describe } = spec;
  const flags = Object.entries(spec.flags ?? {}).map(([name, flag]) => [name, flagClaim(flag, exported)]);
  return {
    ...checkedData(spec),
    bound: spec.bind === undefined || spec.bound === undefined ? undefined : { from: spec.bind, schema: spec.bound },
    concurrency: {
      ...concurrency,
      rules: spec.rules?.map((rule) => boundRule(rule, exported)),
      key: spec.resourceKey,
    },
    behavior: { ...behavior, ...Object.fromEntries(flags), destination: spec.destination },
    visibility: {
      ...visibility,
      featureGate,
      searchHint,
      describe: describe && exported.custom(describe.custom),
    },
    limits,
    validate: spec.validate?.map((check) => boundCheck(check, exported)),
    display: { ...spec.display, ...exported.display },
    // Generated schemas are plain JSON, though their type does not say so.
    dialects: spec.dialects as ToolDefinition["dialects"],
    prepare: exported.prepare,
    permit: exported.permit,
    isEnabled: exported.isEnabled,
    load: exported.load,
    registration: { flow: undefined },
    execute: exported.execute,
  };
}

const DISPLAY_STATES: readonly string[] = ["running", "done", "failed", "rejected", "progress"];

type ExportedFunction = (...parameters: never) => unknown;

interface HandlerExports extends Pick<ToolDefinition, "execute" | "prepare" | "permit" | "isEnabled" | "display"> {
  readonly load?: (() => Promise<LoadedExports>) | undefined;
  custom<Custom extends ExportedFunction>(name: string): Custom;
}

function presentExports(spec: ToolSpec, module: object): HandlerExports {
  return {
    execute: required(spec, module, "execute"),
    ...optionalExports(spec, module),
    custom: (name) => required(spec, module, name),
  };
}

/** Finds the exports that can wait for the import; the compiler imports a handler at once if a spec needs more. */
function lazyExports(spec: ToolSpec, load: () => Promise<object>): HandlerExports {
  const execute: ToolDefinition["execute"] = async (input, options) => {
    const loaded: ToolDefinition["execute"] = required(spec, await load(), "execute");
    return loaded(input, options);
  };
  return {
    execute,
    load: async () => optionalExports(spec, await load()),
    custom: (name) => {
      throw new TypeError(
        `${spec.handlerFile} must be imported eagerly: the spec of ${spec.name} needs its \`${name}\`.`,
      );
    },
  };
}

/** Reads the exports of a handler's module beyond those that its spec demands. */
function optionalExports(spec: ToolSpec, module: object): LoadedExports {
  return {
    prepare: optional(spec, module, "prepare"),
    permit: optional(spec, module, "permit"),
    isEnabled: optional(spec, module, "isEnabled"),
    display: displayLines(spec, module),
  };
}

function displayLines(spec: ToolSpec, module: object): ToolDefinition["display"] {
  const display: unknown = Object.hasOwn(module, "display") ? Reflect.get(module, "display") : undefined;
  if (display === undefined) return undefined;
  const lines = typeof display === "object" && display !== null ? Object.entries(display) : [];
  const fault = lines.find(([state, line]) => !DISPLAY_STATES.includes(state) || typeof line !== "function");
  if (lines.length === 0 || fault !== undefined) {
    throw new TypeError(
      `${spec.handlerFile} must export \`display\` as an object of functions, of which any may be left out: ${DISPLAY_STATES.join(", ")}.`,
    );
  }
  return display as NonNullable<ToolDefinition["display"]>;
}

function required<Expected extends ExportedFunction>(spec: ToolSpec, module: object, name: string): Expected {
  const found = optional<Expected>(spec, module, name);
  if (found === undefined) {
    throw new TypeError(`${spec.handlerFile} must export the function \`${name}\`: the spec of ${spec.name} needs it.`);
  }
  return found;
}

function optional<Expected extends ExportedFunction>(
  spec: ToolSpec,
  module: object,
  name: string,
): Expected | undefined {
  const found: unknown = Object.hasOwn(module, name) ? Reflect.get(module, name) : undefined;
  if (found === undefined) return undefined;
  if (typeof found !== "function") {
    throw new TypeError(`${spec.handlerFile} must export \`${name}\` as a function, not as ${typeof found}.`);
  }
  // `HandlerCheck` proves the function's parameters at compile time.
  return found as Expected;
}

function boundPredicate(predicate: SpecPredicate, handler: HandlerExports): Predicate<unknown> {
  return typeof predicate === "function" ? predicate : handler.custom(predicate.custom);
}

function boundRule({ when, ...row }: SpecRule, handler: HandlerExports): ConcurrencyRule<unknown> {
  return { when: boundPredicate(when, handler), ...row };
}

function flagClaim(flag: SpecFlag, handler: HandlerExports): FlagClaim<never, unknown> {
  return "when" in flag
    ? { when: boundPredicate(flag.when, handler) }
    : { unless: boundPredicate(flag.unless, handler) };
}

/** Completes a generated module's facts with strict values. Throws for an unknown field: nothing would enforce it. */
function completeMetadata({ name: tool, metadata }: ToolSpec): ToolMetadata {
  for (const [group, values] of Object.entries(metadata)) {
    for (const [name, value] of Object.entries(values)) {
      const known = FIELD_ENTRIES.find((entry) => entry.group === group && entry.name === name);
      if (known !== undefined && fits(known.field, value)) continue;
      throw unknownHere(tool, `${group}.${name}: ${String(value)}`);
    }
  }
  return createMetadata(({ group, name, field }) => readStated(metadata, group, name) ?? field.strict);
}

/** Returns the data of a spec. Throws for an unknown key, which nothing would enforce. */
function checkedData(spec: ToolSpec): Omit<ToolData, "input"> & Pick<ToolSpec, "input" | "output"> {
  const { name, coerce = true, outputCheck } = spec;
  if (!isCoercion(coerce)) throw unknownHere(name, "coerce");
  if (outputCheck !== undefined && !fits(OUTPUT_CHECK, outputCheck)) {
    throw unknownHere(name, `outputCheck: ${String(outputCheck)}`);
  }
  const data: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(spec)) {
    const stated = own(TOOL_KEYS, key)?.in;
    if (stated === "both") data[key] = value;
    else if (stated !== "module") throw unknownHere(name, key);
  }
  return data as unknown as ReturnType<typeof checkedData>;
}

function unknownHere(tool: string, stated: string): TypeError {
  return new TypeError(
    `The generated module of ${tool} states ${stated}, which this @hasp/runtime does not know. Update it, or run \`hasp build\` with its version of hasp.`,
  );
}

function boundCheck(check: SpecCheck, handler: HandlerExports): SemanticCheck<unknown, unknown> {
  return "custom" in check ? handler.custom(check.custom) : check;
}
