import type { JsonValue, JsonObject } from "@hasp/schema";
import { mapMembers, isList, isObject, own, readOwnMember } from "@hasp/base/json";
import type { SpecBind } from "../model/handlers.js";
import type { FlatTool } from "../model/tool.js";
import { code, type Code, type Data, joinCode, literal, name, printCreator, propertyName } from "../typescript/code.js";
import { findProperty } from "./input-property.js";
import { readLiteral, type ValueReference, parsePlaceholder, parseSource, type ValueSource } from "./references.js";
import type { ConnectionSubject, ModuleImports } from "./handler-kind.js";

type ValueScope = Pick<FlatTool, "input"> & { readonly spec: { readonly bind?: SpecBind } };

export function printValue(value: JsonValue, scope: ValueScope): Data {
  if (typeof value === "string") {
    const source = parseSource(value, scope.spec.bind ?? {});
    return source === undefined ? value : printSource(source, scope);
  }
  const stated = readLiteral(value);
  if (stated !== undefined) return stated.value as Data;
  if (isList(value)) return value.map((item) => printValue(item, scope));
  if (!isObject(value)) return value;
  return mapMembers(value, (inner) => printValue(inner, scope));
}

export function printPlaceholder(placeholder: string, scope: ValueScope): Code {
  return printSource(parsePlaceholder(placeholder, scope.spec.bind ?? {}), scope);
}

function printSource({ source, path }: ValueSource, { input, spec }: ValueScope): Code {
  if (source === "context") return printMember(name("context"), path, () => true);
  if (source === "bound") {
    const [first = "", ...rest] = path;
    const [, ...bound] = (own(spec.bind, first) ?? "").split(".");
    return printMember(name("context"), [...bound, ...rest], () => true);
  }
  const found = findProperty(input.schema, path);
  const chain = printMember(
    name("input"),
    path,
    (depth) => !findProperty(input.schema, path.slice(0, depth)).isPresent,
  );
  const [first = ""] = path;
  // TypeScript allows a union's property only if every member declares it.
  return path.length > 1 || found.isInEveryBranch || found.schemas.length === 0
    ? chain
    : code`(${literal(first)} in input ? ${chain} : undefined)`;
}

/** Prints the function that adds the bound values to the input; nothing if there are none. */
export function printWholeInput(scope: ValueScope): Code | undefined {
  const bound = Object.keys(scope.spec.bind ?? {}).map(
    (each) => code`${propertyName(each)}: ${printPlaceholder(each, scope)}`,
  );
  return bound.length === 0
    ? undefined
    : printCreator(code`object`, code`{ ...input, ${joinCode(bound, ", ")} }`, code`input, context`);
}

/** Prints a member access; `mayBeAbsent` is true if the first `depth` members may lead to nothing. */
function printMember(root: Code, path: readonly string[], mayBeAbsent: (depth: number) => boolean): Code {
  return path.reduce((chain, member, depth) => {
    const isOptional = depth > 0 && mayBeAbsent(depth);
    if (!plainName.test(member)) {
      return isOptional ? code`${chain}?.[${literal(member)}]` : code`${chain}[${literal(member)}]`;
    }
    return isOptional ? code`${chain}?.${name(member)}` : code`${chain}.${name(member)}`;
  }, root);
}

const plainName = /^[A-Za-z_$][\w$]*$/u;

/** Prints a function of input and context that returns a value, with the parameters that its references need. */
export function printValueFunction(
  type: Code,
  value: Code,
  references: readonly Pick<ValueReference, "source">[],
): Code {
  const usesInput = references.some(({ source }) => source === "input");
  const usesContext = references.some(({ source }) => source !== "input");
  if (usesContext) return printCreator(type, value, code`${name(usesInput ? "input" : "_input")}, context`);
  return printCreator(type, value, usesInput ? code`input` : code``);
}

/** True for a flow in which a person signs in: its tokens outlive the process. */
const isOfAPerson = (flow: unknown): boolean => flow === "deviceCode" || flow === "authorizationCode";

/** Prints authorization as data and code, without secrets, which are read at each call. `oauth` is its entry point. */
export function printAuth(
  { auth, allowPrivateAddresses }: JsonObject,
  connection: string,
  oauth: string,
): { readonly data: Data | undefined; readonly imports: ModuleImports } {
  if (auth === undefined) return { data: undefined, imports: {} };
  const methods = isList(auth) ? auth : [auth];
  const flows = methods
    .flatMap((method) => readOwnMember(method, "oauth2") ?? [])
    .map((flow) => readOwnMember(flow, "flow"));
  const printed = methods.map((method) => methodData(method, connection, allowPrivateAddresses));
  return {
    data: isList(auth) ? printed : printed[0],
    imports: flows.length === 0 ? {} : { [oauth]: ["oauthTokens", ...(flows.some(isOfAPerson) ? ["tokenStore"] : [])] },
  };
}

function methodData(method: JsonValue, connection: string, allowPrivateAddresses: JsonValue | undefined): Data {
  const oauth2 = readOwnMember(method, "oauth2");
  if (!isObject(oauth2)) return method as Data;
  const store = isOfAPerson(oauth2["flow"]) ? { store: code`tokenStore()` } : {};
  const reach = allowPrivateAddresses === true ? { allowPrivateAddresses } : {};
  const entries = { name: connection, ...(oauth2 as { [key: string]: Data }), ...reach, ...store };
  return { oauth2: code`oauthTokens(${literal(entries)})` };
}

/** Prints a connection's type argument if its settings name a member of the context. */
export function chooseContextType(settings: JsonValue | undefined, { contextType }: ConnectionSubject): Code {
  return namesMember(settings) ? code`<${contextType}>` : code``;
}

function namesMember(value: JsonValue | undefined): boolean {
  if (isList(value)) return value.some(namesMember);
  if (!isObject(value)) return false;
  return typeof value["context"] === "string" || Object.values(value).some(namesMember);
}
