import { findContradictions as contradictionsOf, type Contradiction } from "@hasp/runtime";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { ToolModel } from "../../model/tool.js";
import { resolveDiagnostics } from "./diagnostics.js";

export function findContradictions(tool: ToolModel): readonly Diagnostic[] {
  return contradictionsOf(tool.spec).map(({ code, value, other, why }) => {
    const location = tool.locate(pointerOf(value));
    if (code === "deferred-and-loaded") return resolveDiagnostics(code, location, undefined, { tool: tool.name });
    const parameters = { claim: quoted(value), other: quoted(other), why: capitalized(why) };
    const related = [{ location: tool.locate(pointerOf(other)), message: `"${parameters.other}" is stated here` }];
    return resolveDiagnostics(code, location, parameters, { tool: tool.name, related });
  });
}

type LocatedValue = Contradiction["value"];

function pointerOf({ at }: LocatedValue): string {
  return at.map((key) => `/${key}`).join("");
}

function quoted({ name, value }: LocatedValue): string {
  if (typeof value !== "object" || value === null) return `${name}: ${String(value)}`;
  const [[key, source] = ["", ""]] = Object.entries(value);
  return `${name}: { ${key}: ${String(source)} }`;
}

function capitalized(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}
