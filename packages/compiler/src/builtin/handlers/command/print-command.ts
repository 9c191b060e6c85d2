import type { JsonSchema } from "@hasp/schema";
import type { CommandDeclaration, SpecBind } from "../../../model/handlers/declaration.js";
import { code, type Code, literal, objectLiteral, templateLiteral } from "../../../typescript/code.js";
import type { GeneratedModule, ModuleSubject } from "../base/handler-kind.js";
import { findProperty } from "../base/input-property.js";
import { printPlaceholder, printValue, printValueFunction } from "../base/print-value.js";
import {
  type Reference,
  findReferencesInTemplate,
  findReferencesInValue,
  parsePlaceholder,
  type TemplatePart,
  splitTemplate,
} from "../base/references.js";

export function findCommandReferences({ argv, cwd }: CommandDeclaration, bind: SpecBind): readonly Reference[] {
  return [
    ...argv.flatMap((argument, index) => findReferencesInTemplate(argument, `/argv/${index}`, "argument", bind)),
    ...(cwd === undefined ? [] : findReferencesInValue(cwd, "/cwd", "folder", bind)),
  ];
}

export function printCommand(declaration: CommandDeclaration, { tool, types }: ModuleSubject): GeneratedModule {
  const { argv, cwd, publicEnv, stdout } = declaration;
  const references = findCommandReferences(declaration, tool.spec.bind ?? {});
  const inArgv = references.filter(({ role }) => role === "argument");
  const whole = literal(argv.map((argument) => argumentCode(argument, tool)));
  const entries = {
    argv: printValueFunction(whole, inArgv),
    cwd:
      cwd === undefined
        ? undefined
        : printValueFunction(
            literal(printValue(cwd, tool)),
            references.filter(({ role }) => role === "folder"),
          ),
    env: tool.spec.needs?.env,
    publicEnv,
    stdout,
  };
  return {
    imports: { "@hasp/handlers/command": [...(inArgv.length > 0 ? ["argument"] : []), "commandHandler"] },
    comment: `Runs ${argv[0] ?? ""}.`,
    value: code`commandHandler<${types}>(${objectLiteral(entries)})`,
  };
}

/** Prints one argument: none if its value is absent, one per item for a list that stands alone. */
function argumentCode(written: string, tool: ModuleSubject["tool"]): string | Code {
  const parts = splitTemplate(written);
  const names = parts.flatMap((part) => ("name" in part ? [part.name] : []));
  if (names.length === 0) return written;
  const optional = [...new Set(names)]
    .filter((each) => !isPresent(each, tool))
    .map((each) => printPlaceholder(each, tool));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && "name" in only && isListed(only.name, tool)) {
    const value = printPlaceholder(only.name, tool);
    return optional.length > 0
      ? code`...(${value} ?? []).map((item) => argument(item))`
      : code`...${value}.map((item) => argument(item))`;
  }
  const text = partsCode(parts, tool);
  if (optional.length === 0) return text;
  const isAbsent = optional.map((value) => code`${value} === undefined`);
  return code`...(${either(isAbsent)} ? [] : [${text}])`;
}

function partsCode(parts: readonly TemplatePart[], tool: ModuleSubject["tool"]): Code {
  const [only] = parts;
  const valueOf = (name: string): Code => code`argument(${printPlaceholder(name, tool)})`;
  if (parts.length === 1 && only !== undefined && "name" in only) return valueOf(only.name);
  return templateLiteral(parts.map((part) => ("name" in part ? valueOf(part.name) : part.text)));
}

function either(conditions: readonly Code[]): Code {
  return conditions.reduce((all, condition) => code`${all} || ${condition}`);
}

/** The context has its members; input properties may be absent. */
function isPresent(placeholder: string, { input, spec }: ModuleSubject["tool"]): boolean {
  const { source, path } = parsePlaceholder(placeholder, spec.bind ?? {});
  return source !== "input" || findProperty(input.schema, path).isPresent;
}

/** True if a placeholder stands for a list of arguments. */
export function isListed(placeholder: string, { input, spec }: Pick<ModuleSubject["tool"], "input" | "spec">): boolean {
  const { source, path } = parsePlaceholder(placeholder, spec.bind ?? {});
  if (source !== "input") return false;
  const { schemas } = findProperty(input.schema, path);
  return schemas.length > 0 && schemas.every(isArray);
}

function isArray(schema: JsonSchema): boolean {
  return typeof schema === "object" && schema.type === "array";
}
