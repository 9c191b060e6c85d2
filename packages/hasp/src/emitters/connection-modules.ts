import { HANDLER_KINDS } from "../handlers/kinds.js";
import { code, type Code, docComment, joinCode, name } from "../typescript/code.js";
import { importStatements } from "../typescript/declarations.js";
import { connectionFile, connectionSettings } from "./base/connection-file.js";
import type { BuildToEmit, Emitter, FileDraft } from "./base/emitter.js";
import { importPath } from "./base/layout.js";
import { header } from "./header.js";
import { contextImport, contextName } from "./module-parts/context-type.js";

/**
 * One module per connection of the configuration, for declared handlers and for handlers that were ejected. It holds no
 * secret: those are read at each call.
 */
export const connectionModules: Emitter<null> = {
  name: "connection-modules",
  part: () => null,
  files: (build) =>
    Object.keys(build.plan.connections ?? {})
      .toSorted()
      .map((connection) => connectionDraft(connection, build)),
};

function connectionDraft(connection: string, { plan, layout }: BuildToEmit): FileDraft {
  const { path, constant } = connectionFile(connection, plan, layout);
  const found = connectionSettings(connection, plan);
  const print = found === undefined ? undefined : HANDLER_KINDS[found.kind].connectionModule;
  if (found === undefined || print === undefined) throw new Error(`The connection ${connection} cannot be printed.`);
  const { imports, comment, type, value } = print(found.settings, {
    name: connection,
    contextType: contextName(plan.context),
  });
  const needsContext = plan.context !== undefined && type.text.endsWith(">");
  const statements: readonly Code[] = [
    ...importStatements(imports),
    ...(needsContext && plan.context !== undefined
      ? [contextImport(plan.context, importPath(path, plan.context.file))]
      : []),
  ];
  return {
    path,
    owner: "hasp",
    code: joinCode(
      [
        header("the configuration"),
        joinCode(statements, "\n"),
        code`${docComment([comment])}export const ${name(constant)}: ${type} = ${value};`,
      ],
      "\n\n",
    ),
  };
}
