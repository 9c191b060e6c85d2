import { keepLastMark } from "@hasp/schema/internal/keywords";
import type { DispatcherExtension } from "../../dispatch/state/extension.js";
import type { AnyTool, Tool } from "../../tool/definition.js";
import type { BoundTool } from "./bind-tool.js";
import { once } from "@hasp/base/json";
import { decideFlow, type FlowOfTools, type FlowSetting } from "../../tool/flow-setting.js";
import type { Lazy } from "./lazy-schema.js";
import type { ToolTypes } from "./tool-spec.js";

/** The types of a project's tools by name; the generated registry declares one. */
type ToolTypesByName<Tools> = { readonly [Name in keyof Tools]: ToolTypes };

/** The context that all these tools accept: the intersection of theirs. */
type ContextOf<Tools extends ToolTypesByName<Tools>> = {
  [Name in keyof Tools]: (context: Tools[Name]["context"]) => void;
}[keyof Tools] extends (context: infer Context) => void
  ? Context
  : never;

/** A project's tools, typed by name. */
export interface Registry<Tools extends ToolTypesByName<Tools>> {
  readonly names: readonly (keyof Tools & string)[];
  /** Tools that the bundler left out; permissions may still name them. */
  readonly leftOut: readonly string[];
  readonly tools: readonly Tool<never, unknown, ContextOf<Tools>>[];
  /** Built with `--unlocked`: unapproved claims of the specs may be in force. */
  readonly unlocked: boolean;
  /**
   * The setting `flow` of a dispatcher with these tools: that of the toolset with exactly these tools, for any other
   * selection the strictest of all.
   */
  readonly flow: FlowSetting;
  /** The extensions that dispatchers with these tools have, whichever are picked. */
  readonly extensions?: readonly DispatcherExtension[];
  /** The toolsets that a policy guards, each in a generated module of its own. */
  readonly policies?: readonly string[];
  /** Returns a tool by name. Throws a `TypeError` if it is unknown or the bundler left it out. */
  get<Name extends keyof Tools & string>(name: Name): BoundTool<Tools[Name]>;
  /** Returns a view of some tools. Throws a `TypeError` for a name that no spec has. */
  pick<Name extends keyof Tools & string>(names: readonly Name[]): Registry<Pick<Tools, Name>>;
}

/** Makers of tools by name; `undefined` for a tool behind a gate that the bundler has closed. */
export type RegistryEntries<Tools extends ToolTypesByName<Tools>> = {
  readonly [Name in keyof Tools]: (() => BoundTool<Tools[Name]>) | undefined;
};

interface RegistryOptions {
  readonly unlocked: boolean;
  /** The setting of the whole registry. Default: `note`. */
  readonly flow?: FlowSetting;
  /** Toolsets with another setting, each with its tools. */
  readonly toolsetFlows?: readonly FlowOfTools[];
  readonly extensions?: readonly DispatcherExtension[];
  readonly policies?: readonly string[];
}

export function createRegistry<Tools extends ToolTypesByName<Tools>>(
  entries: RegistryEntries<Tools>,
  { flow = "note", toolsetFlows = [], ...shared }: RegistryOptions,
): Registry<Tools> {
  const flows: readonly FlowOfTools[] = [[flow, Object.keys(entries)], ...toolsetFlows];
  const bound = Object.entries<(() => AnyTool) | undefined>(entries).map(
    ([name, bind]) => [name, bind === undefined ? undefined : once(() => register(bind(), flows))] as const,
  );
  return registryOf<Tools>(new Map(bound), shared, flows);
}

/** Notes the setting at a tool, for hosts that list it beside tools of their own. */
function register(tool: AnyTool, flows: readonly FlowOfTools[]): AnyTool {
  if (tool.registration !== undefined) tool.registration.flow = decideFlow([], flows);
  return tool;
}

function registryOf<Tools extends ToolTypesByName<Tools>>(
  entries: ReadonlyMap<string, Lazy<AnyTool> | undefined>,
  shared: Pick<RegistryOptions, "unlocked" | "extensions" | "policies">,
  flows: readonly FlowOfTools[],
): Registry<Tools> {
  const find = (name: string): Lazy<AnyTool> => {
    const tool = entries.get(name);
    if (tool === undefined) throw new TypeError(`There is no tool "${name}" in this registry.`);
    return tool;
  };
  const names = Object.freeze([...entries].flatMap(([name, tool]) => (tool === undefined ? [] : name)).toSorted());
  const leftOut = [...entries].flatMap(([name, tool]) => (tool === undefined ? name : [])).toSorted();
  const tools = once(() => Object.freeze(names.map((name) => find(name)())));
  return Object.freeze<Registry<Tools>>({
    names: names as readonly (keyof Tools & string)[],
    leftOut: Object.freeze(leftOut),
    get tools() {
      return tools() as readonly AnyTool[] as Registry<Tools>["tools"];
    },
    ...shared,
    flow: decideFlow([...entries.keys()], flows),
    get: (name) => find(name)() as AnyTool as BoundTool<Tools[typeof name]>,
    pick: (picked) =>
      registryOf(
        new Map(picked.map((name) => [name, entries.has(name) ? entries.get(name) : find(name)])),
        shared,
        flows,
      ),
  });
}

/** Tells which feature gates are open, like `features` of a dispatcher: only `true` opens one. */
export type Features = (gate: string) => unknown;

type GatedEntry<Entry> = readonly [make: () => Entry, gate?: string] | undefined;

/**
 * Makes the entries of the tools without a gate and behind open ones, of which the last keeps the mark of a cached prefix.
 * A gate whose function throws stays closed.
 */
export function listFor<Entry extends object>(features: Features, entries: readonly GatedEntry<Entry>[]): Entry[] {
  const list = entries.flatMap((entry) => {
    if (entry === undefined) return [];
    const [make, gate] = entry;
    return gate === undefined || isOpen(features, gate) ? [make()] : [];
  });
  return keepLastMark(list);
}

function isOpen(features: Features, gate: string): boolean {
  try {
    return features(gate) === true;
  } catch {
    return false;
  }
}
