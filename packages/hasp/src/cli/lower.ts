import type { DialectId, JsonValue, Loss, UncheckedSchema } from "@hasp/schema";
import { dialects, lower } from "@hasp/schema";
import type { SchemaFile } from "../io/read-schema-file.js";
import { lossData, lossTable } from "../report/loss-table.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import { checkDialect } from "./dialect-option.js";
import { withSchemaFile } from "./schema-command.js";

interface LowerFileOptions {
  readonly for: string;
  readonly allowNarrowing?: boolean;
}

/** `hasp lower FILE --for DIALECT`: the schema as one provider takes it, on standard output; what is lost, on standard error. */
export const lowerFile: CommandModule = {
  configure(command) {
    command
      .argument("<file>", "a JSON Schema, or a spec, whose input is meant; JSON or YAML")
      .requiredOption("--for <dialect>", `one of ${Object.keys(dialects).join(", ")}`)
      .option("--allow-narrowing", "permit a result that takes fewer values than the source");
  },
  run: async (invocation) => {
    const { options } = invocation as Invocation<LowerFileOptions>;
    const dialect = checkDialect(options.for);
    if (typeof dialect !== "string") return { diagnostics: [dialect], couldNotCheck: true };
    return withSchemaFile(invocation, async (file) => lowered(file, dialect, options));
  },
};

async function lowered(file: SchemaFile, dialect: DialectId, options: LowerFileOptions): Promise<Outcome> {
  const result = lower(file.schema as UncheckedSchema, dialect, {
    ...file.options,
    ...(options.allowNarrowing === true ? { allowNarrowing: true } : {}),
  });
  const placeOf = ({ origin }: Loss): string => {
    const location = file.locate(origin);
    return location === undefined ? "" : `${location.uri}:${location.range.start.line}`;
  };
  return {
    diagnostics: result.diagnostics.map(file.place),
    sources: file.sources,
    root: file.root,
    data: {
      dialect,
      schema: (result.schema ?? null) as JsonValue,
      losses: result.losses.map((loss) => lossData(loss, placeOf(loss))),
      codec: (result.codec ?? null) as JsonValue,
    },
    product: result.schema === undefined ? "" : `${JSON.stringify(result.schema, undefined, 2)}\n`,
    aside: lossTable(result.losses, placeOf),
  };
}
