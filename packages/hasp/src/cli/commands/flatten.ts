import type { JsonValue } from "@hasp/schema";
import type { CommandModule } from "../shell/command.js";
import { flatSchemaOf, withSchemaFile } from "../project/schema-command.js";

export const flattenFile: CommandModule = {
  configure(command) {
    command.argument(
      "<file>",
      "a JSON Schema, used as it is, or a spec, whose input is closed as in a build; JSON or YAML",
    );
  },
  run: (invocation) =>
    withSchemaFile(invocation, async (file) => {
      const result = flatSchemaOf(file);
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
