import { groupBy, sortBy } from "@hasp/base/json";
import type { CompilePlan, LoweredTool } from "@hasp/compiler";
import { findDialectPlan, resolveDialect } from "@hasp/compiler/model";
import type { DialectName } from "@hasp/schema";
import type { Namespaces } from "@hasp/schema/internal/entries";

const LONGEST_NAME = 64;

/** Groups the tools of a list into namespaces, as configured. Empty without that setting, or if the API has none. */
export function findNamespaces(
  { dialect, tools }: { readonly dialect: DialectName; readonly tools: readonly LoweredTool[] },
  toolset: string,
  { namespaces, dialects }: Pick<CompilePlan, "namespaces" | "dialects">,
): Namespaces {
  const { namespaceType } = resolveDialect(findDialectPlan(dialects, dialect)).entry;
  if (namespaces === undefined || namespaceType === undefined) return {};
  const named = tools.flatMap(({ tool, wireName }) => {
    const name = namespaces === "toolset" ? toolset : tool.spec.tags?.[0];
    return name === undefined ? [] : [[fitName(name), wireName] as const];
  });
  const grouped = [...groupBy(named, ([name]) => name)];
  return Object.fromEntries(
    sortBy(grouped, ([name]) => name).map(([name, of]) => [name, of.map(([, wireName]) => wireName)]),
  );
}

function fitName(name: string): string {
  return (
    name.replaceAll(/^_+|[^A-Za-z0-9_-]/gu, (found) => (found.startsWith("_") ? "" : "-")).slice(0, LONGEST_NAME) ||
    "tools"
  );
}
