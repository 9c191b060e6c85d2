import { connectionNameOf, declarationOf } from "../model/handlers/declaration-of.js";
import { own } from "../model/own.js";
import type { CompilePlan, HandlerDigest } from "../model/plan.js";
import type { ToolSpec } from "../model/spec/tool-spec.js";
import type { FlatTool } from "../model/tool.js";
import { generatedNames } from "../typescript/names.js";
import { digestOfValue } from "./digest.js";

/** The parts of a handler without code. */
export const DECLARED_PARTS = ["declaration", "connection", "bind"] as const;

/** One of {@link DECLARED_PARTS}. */
export type DeclaredPart = (typeof DECLARED_PARTS)[number];

/** A tool's handler, as approvals cover it. */
export interface CoveredHandler extends HandlerDigest {
  /** Digests of what the spec and the configuration say about it; none for code. */
  readonly declared?: { readonly [part in DeclaredPart]: string };
}

/** Computes the digests of each tool's handler, as far as the spec and the plan tell them. */
export function digestHandlers(tools: readonly FlatTool[], plan: CompilePlan): ReadonlyMap<string, CoveredHandler> {
  const digests = new Map<string, CoveredHandler>();
  const hasDigests = Object.keys(plan.handlerDigests).length > 0;
  for (const [tool, { kebab }] of hasDigests ? generatedNames(tools.map(({ name }) => name)) : []) {
    const path = `${plan.handlersDir}/${kebab}.ts`;
    const digest = own(plan.handlerDigests, path);
    if (digest !== undefined) digests.set(tool, digest);
  }
  for (const { name, spec } of tools) {
    const declared = declaredDigests(spec, plan);
    if (declared !== undefined) digests.set(name, declared);
  }
  return digests;
}

/** Settings of a connection that change no call, but how long it may take and how much it may answer. */
const LIMITS: ReadonlySet<string> = new Set(["timeoutSeconds", "maxResponseMb"]);

function declaredDigests(spec: ToolSpec, { connections }: CompilePlan): CoveredHandler | undefined {
  const declared = declarationOf(spec);
  if (declared === undefined) return undefined;
  const { kind, declaration } = declared;
  const connection = connectionNameOf(declared);
  const settings = connection === undefined ? undefined : own(connections, connection)?.[kind];
  const kept = Object.entries(settings ?? {}).filter(([name]) => !LIMITS.has(name));
  // A command receives these variables and no others.
  const env = kind === "command" && spec.needs?.env !== undefined ? { env: spec.needs.env } : {};
  const digests = {
    declaration: digestOfValue({ [kind]: declaration, ...env }),
    connection: digestOfValue(settings === undefined ? undefined : Object.fromEntries(kept)),
    bind: digestOfValue(spec.bind),
  };
  const digest = digestOfValue(digests);
  return { digest, own: digest, declared: digests };
}
