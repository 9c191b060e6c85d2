import type { DialectId, JsonValue, Loss, UncheckedSchema } from "@hasp/schema";
import { dialects, lower } from "@hasp/schema";
import { hasErrors } from "../../../../compiler/src/diagnostics/severity.js";
import type { SchemaFile } from "../../../../project/src/read/read-schema-file.js";
import { lossData, lossTable } from "../../../../report/src/views/loss-table.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { checkDialect } from "../shell/dialect-option.js";
import { flatSchemaOf, withSchemaFile } from "../project/schema-command.js";

interface LowerFileOptions {
  readonly for: string;
  readonly allowNarrowing?: boolean;
}

/** `hasp lower FILE --for DIALECT` prints the schema as a provider takes it; losses go to standard error. */
export const lowerFile: CommandModule = {
  configure(command) {
    command
      .argument("<file>", "a JSON Schema, used as it is, or a spec, whose input is closed as in a build; JSON or YAML")
      .requiredOption("--for <dialect>", `one of ${Object.keys(dialects).join(", ")}`)
      .option("--allow-narrowing", "allow a result that accepts fewer values than the source");
  },
  run: async (invocation) => {
    const { options, terminal } = invocation as Invocation<LowerFileOptions>;
    const dialect = checkDialect(options.for);
    if (typeof dialect !== "string") return { diagnostics: [dialect], couldNotCheck: true };
    return withSchemaFile(invocation, async (file) => lowered(file, dialect, options, terminal.columns));
  },
};

async function lowered(
  file: SchemaFile,
  dialect: DialectId,
  options: LowerFileOptions,
  columns: number,
): Promise<CommandResult> {
  const flat = file.isInput ? flatSchemaOf(file) : undefined;
  if (flat !== undefined && hasErrors(flat.diagnostics)) {
    return { diagnostics: flat.diagnostics.map(file.place), sources: file.sources, root: file.root, product: "" };
  }
  const result = lower(flat?.schema ?? (file.schema as UncheckedSchema), dialect, {
    ...(flat === undefined ? file.options : { flat }),
    ...(options.allowNarrowing === true ? { allowNarrowing: true } : {}),
  });
  const placeOf = ({ origin }: Loss): string => {
    const location = file.locate(origin);
    return location === undefined ? "" : `${location.uri}:${location.range.start.line}`;
  };
  return {
    diagnostics: [...(flat?.diagnostics ?? []), ...result.diagnostics].map(file.place),
    sources: file.sources,
    root: file.root,
    data: {
      dialect,
      schema: (result.schema ?? null) as JsonValue,
      losses: result.losses.map((loss) => lossData(loss, placeOf(loss))),
      codec: (result.codec ?? null) as JsonValue,
    },
    product: result.schema === undefined ? "" : `${JSON.stringify(result.schema, undefined, 2)}\n`,
    aside: lossTable(result.losses, placeOf, columns),
  };
}
