import type { AnyTool } from "@hasp/runtime";

interface Offer {
  readonly only: ReadonlySet<string> | undefined;
  /** Dangerous tools that are offered anyway. */
  readonly allowed: ReadonlySet<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface OfferedTools {
  readonly offered: readonly AnyTool[];
  readonly withheld: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Splits a registry into offered and withheld tools. Clients are untrusted: tools that must run alone, are destructive,
 * or
 * need a person at this machine are offered by name only.
 */
export function offeredTools(tools: readonly AnyTool[], { only, allowed, environment }: Offer): OfferedTools {
  const offered: AnyTool[] = [];
  const withheld: { name: string; reason: string }[] = [];
  for (const tool of tools) {
    if (only?.has(tool.name) === false) {
      if (allowed.has(tool.name)) {
        withheld.push({ name: tool.name, reason: "it is allowed but not among the selected tools" });
      }
      continue;
    }
    const reason = reasonToWithhold(tool, allowed.has(tool.name), environment);
    if (reason === undefined) offered.push(tool);
    else withheld.push({ name: tool.name, reason });
  }
  return { offered, withheld };
}

function reasonToWithhold(
  { name, metadata, needs }: AnyTool,
  isAllowed: boolean,
  environment: Offer["environment"],
): string | undefined {
  const missing = needs.env.filter((variable) => !Object.hasOwn(environment, variable) || environment[variable] === "");
  if (missing.length > 0) return `it needs ${missing.join(", ")} in the environment`;
  if (isAllowed) return undefined;
  const { behavior, concurrency } = metadata;
  const dangers = [
    ...(behavior.isDestructive ? ["may destroy"] : []),
    ...(concurrency.class === "UNSAFE" ? ["is UNSAFE"] : []),
    ...(behavior.requiresUserInteraction ? ["needs a person at this machine"] : []),
  ];
  return dangers.length === 0 ? undefined : `it ${dangers.join(" and ")}; pass --allow ${name} to offer it anyway`;
}
