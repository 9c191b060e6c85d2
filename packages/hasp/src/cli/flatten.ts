import type { JsonValue, UncheckedSchema } from "@hasp/schema";
import { flatten } from "@hasp/schema";
import type { CommandModule } from "./command.js";
import { withSchemaFile } from "./schema-command.js";

/** `hasp flatten FILE`: the same schema without `$ref`, `$defs` and `allOf`, on standard output. */
export const flattenFile: CommandModule = {
  configure(command) {
    command.argument("<file>", "a JSON Schema, or a spec, whose input is meant; JSON or YAML");
  },
  run: (invocation) =>
    withSchemaFile(invocation, async (file) => {
      const result = flatten(file.schema as UncheckedSchema, file.options);
      const diagnostics = result.diagnostics.map(file.place);
      const isUsable = diagnostics.every(({ severity }) => severity !== "error");
      const schema = result.schema as JsonValue;
      return {
        diagnostics,
        sources: file.sources,
        root: file.root,
        data: { schema: isUsable ? schema : null },
        product: isUsable ? `${JSON.stringify(schema, undefined, 2)}\n` : "",
      };
    }),
};
