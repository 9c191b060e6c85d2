import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../../model/json-kind.js";
import { ownMember } from "../../../model/own.js";
import { code, type Code, type Data, literal } from "../../../typescript/code.js";
import type { ConnectionSubject, ModuleImports } from "./handler-kind.js";

/** Flows in which a person signs in; their tokens outlive the process. */
const isOfAPerson = (flow: unknown): boolean => flow === "deviceCode" || flow === "authorizationCode";

/** Prints authorisation as data and code, without secrets: those are read at each call. */
export function printAuth(
  { auth, allowPrivateAddresses }: JsonObject,
  connection: string,
): { readonly data: Data | undefined; readonly imports: ModuleImports } {
  if (auth === undefined) return { data: undefined, imports: {} };
  const methods = isList(auth) ? auth : [auth];
  const flows = methods.flatMap((method) => ownMember(method, "oauth2") ?? []).map((flow) => ownMember(flow, "flow"));
  const printed = methods.map((method) => methodData(method, connection, allowPrivateAddresses));
  return {
    data: isList(auth) ? printed : printed[0],
    imports:
      flows.length === 0
        ? {}
        : { "@hasp/handlers/oauth": ["oauthTokens", ...(flows.some(isOfAPerson) ? ["tokenStore"] : [])] },
  };
}

function methodData(method: JsonValue, connection: string, allowPrivateAddresses: JsonValue | undefined): Data {
  const oauth2 = ownMember(method, "oauth2");
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
