import type { JsonSchema } from "@hasp/schema";
import { frozenSchema } from "../json/frozen-schema.js";
import { classifier } from "./classifier.js";
import type { Display, ToolDefinition } from "./definition.js";
import { resolveMetadata } from "./resolve-metadata.js";
import { sentence } from "./sentence.js";
import type { Tool } from "./tool.js";

/**
 * `buildTool` without its check and its closing: for definitions that hasp itself made, whose input is closed already. It
 * stands apart so that a program whose tools are all compiled does not carry the code of either.
 */
export function makeTool<Input, Output, Context>(
  definition: ToolDefinition<Input, Output, Context>,
  input: JsonSchema,
): Tool<Input, Output, Context> {
  const metadata = resolveMetadata(definition);
  const classify = classifier(definition, metadata);
  const { title, owner, searchHint, output, prepare, permit, isEnabled } = definition;
  const featureGate = definition.visibility?.featureGate;
  return Object.freeze({
    name: definition.name,
    description: definition.description,
    ...(title !== undefined && { title }),
    ...(owner !== undefined && { owner }),
    ...(searchHint !== undefined && { searchHint }),
    tags: frozenList(definition.tags),
    aliases: frozenList(definition.aliases),
    input,
    ...(output !== undefined && { output: frozenSchema(output) }),
    metadata,
    ...(featureGate !== undefined && { featureGate }),
    needs: Object.freeze({ env: frozenList(definition.needs?.env), context: frozenList(definition.needs?.context) }),
    validate: frozenList(definition.validate),
    examples: frozenList(definition.examples),
    display: displayOf(definition.display),
    dialects: Object.freeze({ ...definition.dialects }),
    ...(prepare !== undefined && { prepare }),
    ...(permit !== undefined && { permit }),
    ...(isEnabled !== undefined && { isEnabled }),
    execute: definition.execute,
    classify,
    isConcurrencySafe: (value: unknown) => classify(value).class === "READ_ONLY",
  });
}

/** Sentences with placeholders become functions. */
function displayOf<Input>(display: ToolDefinition<Input>["display"] = {}): Display<Input> {
  const states = Object.entries(display).filter(([, line]) => line !== undefined);
  return Object.freeze(Object.fromEntries(states.map(([state, line]) => [state, typeof line === "string" ? sentence(line) : line])));
}

function frozenList<Item>(items: readonly Item[] | undefined): readonly Item[] {
  return Object.freeze([...(items ?? [])]);
}
