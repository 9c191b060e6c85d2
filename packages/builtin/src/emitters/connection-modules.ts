import {
  code,
  type Code,
  printDocComment,
  name,
  importStatement,
  importStatements,
  typeNames,
} from "@hasp/compiler/code";
import { findConnectionFile, findConnection } from "./base/names.js";
import type { BuildToEmit, Emitter, FileDraft } from "./base/emitter.js";
import { printModule } from "./base/module-text.js";
import { importContextType, printContextType } from "./module-parts/handler-type.js";

/** One module per connection, for declared and ejected handlers. It holds no secrets: each call reads them. */
export const connectionModules: Emitter<null> = {
  name: "connection-modules",
  part: () => null,
  files: (build) =>
    Object.keys(build.plan.connections ?? {})
      .toSorted()
      .flatMap((connection) => connectionDraft(connection, build) ?? []),
};

/** Prints a connection's module; `undefined` for a kind that this program lacks, whose tools are refused. */
function connectionDraft(connection: string, { plan, layout, kinds }: BuildToEmit): FileDraft | undefined {
  const { path, constant } = findConnectionFile(connection, plan, layout);
  const found = findConnection(connection, plan);
  if (found === undefined) throw new Error(`There is no connection ${connection}.`);
  const subject = { name: connection, contextType: printContextType(plan.context) };
  const printed = kinds.partsOf(found.kind).printConnection?.(found.settings, subject);
  if (printed === undefined) return undefined;
  const { from, create, type, argument, settings, imports, comment } = printed;
  // A connection named like its kind clashes: `http` has the constant `httpConnection`.
  const local = create === constant ? "connect" : create;
  const own = importStatement(
    [{ name: create, ...(local === create ? {} : { as: local }) }, ...typeNames([type])],
    from,
  );
  const statements: readonly Code[] = [
    ...Object.entries({ ...imports, [from]: [] })
      .toSorted()
      .flatMap(([path, names]) => (path === from ? own : importStatements({ [path]: names }))),
    ...(plan.context !== undefined && argument.text !== ""
      ? [importContextType(plan.context, layout.importPath(path, plan.context.file))]
      : []),
  ];
  return {
    path,
    owner: "hasp",
    madeFrom: "configuration",
    code: printModule("the configuration", statements, [
      code`${printDocComment([comment])}export const ${name(constant)}: ${name(type)}${argument} = ${name(local)}${argument}(${settings});`,
    ]),
  };
}
