import type { AnyTool } from "@hasp/runtime";

/** What the operator says on the command line. */
export interface Offer {
  /** Only these tools; all, where it is `undefined`. */
  readonly only: ReadonlySet<string> | undefined;
  /** Tools that are offered although they are dangerous. */
  readonly allowed: ReadonlySet<string>;
  /** Where `needs.env` is looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The tools that clients see, and those that they do not, with the reason. */
export interface OfferedTools {
  readonly offered: readonly AnyTool[];
  readonly withheld: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Parts a registry into what is served and what is not. A client is a stranger: what must run alone, may destroy or
 * wants a person at this machine is offered only where it is named.
 */
export function offeredTools(tools: readonly AnyTool[], { only, allowed, environment }: Offer): OfferedTools {
  const offered: AnyTool[] = [];
  const withheld: { name: string; reason: string }[] = [];
  for (const tool of tools) {
    if (only?.has(tool.name) === false) {
      if (allowed.has(tool.name)) {
        withheld.push({ name: tool.name, reason: "it is allowed, and not among the tools that were chosen" });
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
    ...(behavior.requiresUserInteraction ? ["wants a person at this machine"] : []),
  ];
  return dangers.length === 0 ? undefined : `it ${dangers.join(" and ")}; --allow ${name} offers it all the same`;
}
