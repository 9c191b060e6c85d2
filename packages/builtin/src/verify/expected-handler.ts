import type { JsonObject, JsonValue } from "@hasp/schema";
import { findConnection } from "../emitters/base/names.js";
import type { BuildToEmit, EmitPlan, ToolToEmit } from "../emitters/base/emitter.js";
import { findReferences, isListed, type HandlerCall, type RecordedCall } from "@hasp/compiler/plugin";
import { sampleValues } from "@hasp/schema/internal/generate";
import { createInputValidator, declarationOf, findConnectionName } from "@hasp/compiler/model";
import { isObject, readOwnMember } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";

export function expectConnection(
  connection: string,
  { plan, kinds }: Pick<ToolToEmit, "kinds"> & { readonly plan: Pick<EmitPlan, "connections"> },
): RecordedCall | undefined {
  const found = findConnection(connection, plan);
  return found && kinds.partsOf(found.kind).expectConnection?.(found.settings, connection);
}

/** Returns the call that creates a declared handler; `undefined` for user code. */
export function expectHandler({ tool, plan, kinds }: ToolToEmit): RecordedCall | undefined {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) return undefined;
  const name = findConnectionName(declared);
  const connection = name === undefined ? undefined : expectConnection(name, { plan, kinds });
  return kinds.partsOf(declared.key).expect(declared.declaration, { tool, connection, plan });
}

/** Returns calls that show the source of each value: one with a distinct text for every reference, and valid ones. */
export function listHandlerCalls(
  tool: FlatTool,
  { plan, kinds }: Pick<BuildToEmit, "plan" | "kinds">,
): readonly HandlerCall[] {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) return [];
  const bind = tool.spec.bind ?? {};
  const marked: HandlerCall = { input: {}, context: createConnectionContext(findConnectionName(declared), plan) };
  for (const { source, path, text } of findReferences(declared, tool.spec, kinds)) {
    const name = path.join(".");
    const value = text.startsWith("{") && isListed(name, tool) ? [`${name}[]`] : name;
    if (source === "input") put(marked.input as Mutable, path, value);
    else put(marked.context as Mutable, path, `context.${name}`);
  }
  for (const [name, path] of Object.entries(bind)) {
    put(marked.context as Mutable, path.split(".").slice(1), `bound.${name}`);
  }
  // A handler receives valid inputs only, with their defaults.
  const validate = createInputValidator(tool);
  const samples = [...sampleValues(tool.input.schema, { most: MOST_SAMPLES })]
    .map((sample) => validate(sample))
    .flatMap(({ valid, value }) => (valid && isObject(value) ? [value] : []));
  return [marked, ...samples.map((input) => ({ input, context: marked.context }))];
}

const MOST_SAMPLES = 8;

/** Returns a context with the member that holds a connection's client. */
export function createConnectionContext(
  connection: string | undefined,
  plan: Pick<EmitPlan, "connections">,
): JsonObject {
  const member = readOwnMember(findConnection(connection ?? "", plan)?.settings, "context");
  return typeof member === "string" ? { [member]: `client ${member}` } : {};
}

type Mutable = Record<string, unknown>;

function put(target: Mutable, [key = "", ...others]: readonly string[], value: unknown): void {
  if (others.length === 0) target[key] ??= value;
  else {
    const inner = isObject(target[key] as JsonValue) ? (target[key] as Mutable) : {};
    target[key] = inner;
    put(inner, others, value);
  }
}
