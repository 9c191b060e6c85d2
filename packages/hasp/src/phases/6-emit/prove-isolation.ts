import { isDeepStrictEqual } from "node:util";
import type { FlatTool } from "../../model/tool.js";
import { ReadCall, ReadCode, type ReadModule, type ReadValue } from "../../typescript/read-module.js";

/**
 * Whether the last argument of a binding isolates the handler at `handlerPath` with the limits of its spec, and no less;
 * where the spec states none, whether there is no such argument.
 */
export function isIsolatedAsStated(
  { spec, metadata }: FlatTool,
  argument: ReadValue | undefined,
  module: ReadModule,
  handlerPath: string,
): boolean {
  const isolation = spec.handler?.isolation;
  if (isolation === undefined || argument === undefined) return isolation === undefined && argument === undefined;
  const from = module.imports.get("isolate");
  if (from?.from !== "@hasp/runtime/node" || from.name !== "isolate") return false;
  if (!(argument instanceof ReadCall) || argument.called !== "isolate" || argument.values.length !== 1) return false;
  const [options] = argument.values;
  if (typeof options !== "object" || options === null || options instanceof ReadCode) return false;
  const env = spec.needs?.env;
  return isDeepStrictEqual(
    { ...options, module: urlBeside(Reflect.get(options, "module") as ReadValue | undefined) },
    {
      module: handlerPath,
      ...(env === undefined ? {} : { env }),
      timeoutSeconds: metadata.limits.timeoutSeconds,
      ...isolation,
    },
  );
}

/** The path in `new URL(path, import.meta.url)`; `undefined` for anything else. */
function urlBeside(value: ReadValue | undefined): string | undefined {
  if (!(value instanceof ReadCode) || value.node.type !== "NewExpression") return undefined;
  const { callee, arguments: given } = value.node;
  const [path, base, ...more] = given;
  const isUrl = callee.type === "Identifier" && callee.name === "URL" && more.length === 0;
  const isBesideModule =
    base?.type === "MemberExpression" &&
    base.object.type === "MetaProperty" &&
    base.property.type === "Identifier" &&
    base.property.name === "url";
  if (!isUrl || !isBesideModule || path?.type !== "Literal" || typeof path.value !== "string") return undefined;
  return path.value;
}
