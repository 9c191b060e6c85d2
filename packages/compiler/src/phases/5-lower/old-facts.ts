import { type Diagnostic, defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";
import { DAY_UNKNOWN } from "../../model/complete-plan.js";
import { resolveDialect } from "../../model/dialect.js";
import type { CompilePlan } from "../../model/plan.js";

const definitions = {
  "old-facts": {
    severity: "info",
    message: "These facts are more than a year old: {names}. A provider or client may have changed since.",
    help: 'Update hasp, ask the provider ("hasp probe"), or read their sources, which the pages on dialects and clients name.',
  },
} as const;

export const dialectDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("dialect", definitions);

/** Reports facts about the plan's dialects and clients that are older than a year today; none if the day is unknown. */
export function findOldFacts({ dialects, clients = [], today, locations }: CompilePlan): readonly Diagnostic[] {
  if (today === DAY_UNKNOWN) return [];
  const isOld = (date = today): boolean => date < `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  const facts = [
    ...dialects.map((each) => ({ name: each.id, date: resolveDialect(each).checkedOn })),
    ...clients.flatMap(({ id, facts: known }) =>
      Object.entries(known).map(([fact, { date }]: [string, { readonly date: string }]) => ({
        name: `${id} ${fact}`,
        date,
      })),
    ),
  ];
  const names = facts.filter(({ date }) => isOld(date)).map(({ name, date = "" }) => `${name} (${date})`);
  return names.length === 0
    ? []
    : [dialectDiagnostics("old-facts", locations?.["/dialects"], { names: names.join(", ") })];
}
