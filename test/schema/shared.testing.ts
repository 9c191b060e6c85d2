import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@hasp/schema";

/** The data that is beside the repository and is not part of it. */
const shared = join(import.meta.dirname, "../../../shared");

/** True if that data is there; tests that read it are skipped otherwise. */
export const hasShared: boolean = existsSync(join(shared, "reference/providers.json"));

/** One schema of the corpus. */
export interface CorpusSchema {
  readonly name: string;
  readonly schema: JsonObject;
  /** True for a tool's input, which the compiler closes. */
  readonly isInput: boolean;
}

/** The facts about providers, as they were gathered: never through the package under test. */
export function readProviders(): { readonly [dialect: string]: DialectFacts } {
  const file = readJson("reference/providers.json") as {
    readonly dialects: { readonly [dialect: string]: DialectFacts };
  };
  return file.dialects;
}

/** The facts of `providers.json` about one dialect that the checker reads. */
export interface DialectFacts {
  readonly keywords: { readonly [word: string]: "accept" | "ignore" | "reject" };
  readonly keywordsRoot: { readonly [word: string]: "accept" | "ignore" | "reject" };
  readonly formats: readonly string[];
  readonly rootType: string | null;
  readonly maxDepth: number | null;
  readonly maxProperties: number | null;
  readonly maxEnumValues: number | null;
  readonly maxTotalStringLength: number | null;
  readonly propertyKeyRegex: { readonly pattern: string; readonly scope: string } | null;
  readonly rules?: readonly string[];
  readonly strict: {
    readonly requiresAdditionalPropertiesFalse?: boolean;
    readonly requiresAllRequired?: boolean;
    readonly requiresAtLeastOneRequired?: boolean;
    readonly minItemsAllowed?: readonly number[];
    readonly patternUnsupported?: readonly string[];
    readonly largeEnum?: { readonly overValues: number; readonly maxChars: number };
    readonly allOfWithRef?: string;
    readonly recursion?: string;
  };
}

/** All 580 tool inputs and 70 plain schemas. */
export function readCorpus(): readonly CorpusSchema[] {
  const tools = filesOf("corpus/tools").flatMap((file) =>
    (readJson(file) as { tools: { name: string; inputSchema: JsonObject }[] }).tools.map((tool) => ({
      name: `${file}: ${tool.name}`,
      schema: tool.inputSchema,
      isInput: true,
    })),
  );
  const schemas = filesOf("corpus/schemas").flatMap((file) =>
    (readJson(file) as { schemas: { name: string; schema: JsonObject }[] }).schemas.map(({ name, schema }) => ({
      name: `${file}: ${name}`,
      schema,
      isInput: false,
    })),
  );
  return [...tools, ...schemas];
}

/** The output schemas of all tools that have one. */
export function readOutputSchemas(): readonly Pick<CorpusSchema, "name" | "schema">[] {
  return filesOf("corpus/tools").flatMap((file) =>
    (readJson(file) as { tools: { name: string; outputSchema?: JsonObject }[] }).tools.flatMap(
      ({ name, outputSchema }) =>
        outputSchema === undefined ? [] : [{ name: `${file}: ${name}`, schema: outputSchema }],
    ),
  );
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(shared, folder))
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => `${folder}/${file}`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(shared, path), "utf8"));
}
