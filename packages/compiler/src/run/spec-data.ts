import { dropUndefined, toRecord } from "@hasp/base/json";
import type { ToolSpec as ModuleSpec } from "@hasp/runtime/codegen/v1";
import type { JsonSchema } from "@hasp/schema";
import { collectNeeds } from "../handlers/connection-needs.js";
import type { HandlerKinds } from "../handlers/kinds.js";
import { type Connections, declarationOf } from "../model/handlers.js";
import { type KeysIn, listKeys, type ToolSpec } from "../model/spec-keys.js";
import type { FlatTool } from "../model/tool.js";

/** The spec of a generated module as plain data: without schemas and conditions, which are functions there. */
export interface PlainSpec extends Omit<
  ModuleSpec,
  "input" | "output" | "rules" | "flags" | "destination" | "validate" | "dialects" | "parts"
> {
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
}

type PlainSpecKey = Extract<keyof PlainSpec, string>;

/** Every key of {@link PlainSpec}, so that a new one is a type error until it is printed. */
type SpecData = { readonly [Key in PlainSpecKey]: PlainSpec[Key] | undefined };

// A key that the runtime does not know is a type error here.
const COPIED: readonly (KeysIn<"module"> & PlainSpecKey)[] = listKeys("module");

export function collectSpecData(
  tool: FlatTool,
  handlerFile: string,
  connections: Connections | undefined,
  kinds: HandlerKinds,
): SpecData {
  const { spec, metadata, input, bound, output } = tool;
  return {
    ...copied(spec),
    handlerFile,
    metadata,
    featureGate: spec.visibility?.featureGate,
    searchHint: spec.visibility?.searchHint,
    describe: spec.visibility?.describe,
    resourceKey: spec.concurrency?.key,
    input: input.schema,
    bound,
    output: output?.schema,
    needs: collectNeeds(spec, kinds, connections),
    isolation: spec.handler?.isolation,
    external: declarationOf(spec)?.key === "external" ? true : undefined,
    examples: spec.examples?.map((example) => ({ input: example.input })),
  };
}

function copied(spec: ToolSpec): Required<Pick<ToolSpec, KeysIn<"module">>> {
  return toRecord(COPIED, (key) => spec[key]) as never;
}

/** True if a handler can be imported on its first call. Custom functions run earlier, so their module loads at once. */
export function isLoadedOnFirstCall(tool: FlatTool): boolean {
  if (declarationOf(tool.spec) !== undefined) return true;
  const mayWait = tool.metadata.visibility.load === "deferred" || tool.spec.visibility?.featureGate !== undefined;
  return mayWait && tool.customFunctions.length === 0;
}

/** Options for `isolate` of `@hasp/handlers/isolation`, without the module. */
export type IsolationOptions = {
  readonly env?: readonly string[];
  readonly timeoutSeconds: number | "unlimited";
  readonly memoryMb?: number;
  readonly cpuSeconds?: number;
  readonly outputMb?: number;
};

/** Returns the isolation of a tool's `execute`; `undefined` if it runs in the host's process. */
export function readIsolation({ spec, metadata }: FlatTool): IsolationOptions | undefined {
  const { handler, needs } = spec;
  if (handler?.isolation === undefined) return undefined;
  const { timeoutSeconds } = metadata.limits;
  return { ...dropUndefined({ env: needs?.env }), timeoutSeconds, ...handler.isolation };
}
