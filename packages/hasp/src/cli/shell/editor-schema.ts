import { slashPath } from "../../../../project/src/fs/slash-path.js";

/** Returns the path of hasp's schema from a folder of specs, for editors. */
export function editorSchemaPath(projectFolder: string, specFolder: string): string {
  const up = slashPath(specFolder, projectFolder);
  return `${up === "" ? "." : up}/node_modules/hasp/schema/tool-spec.schema.json`;
}
