import { connectionNameOf, declarationOf } from "../model/handlers.js";
import { own } from "../model/json.js";
import type { CompilePlan, HandlerDigest } from "../model/plan.js";
import type { ToolSpec } from "../model/tool-spec.js";
import type { FlatTool } from "../model/tool.js";
import { generatedNames } from "../typescript/names.js";
import { digestOfValue } from "./digest.js";

export const DECLARED_PARTS = ["declaration", "connection", "bind"] as const;

export type DeclaredPart = (typeof DECLARED_PARTS)[number];

export interface CoveredHandler extends HandlerDigest {
  /** Digests of the declaration, connection and binding; missing for code. */
  readonly declared?: { readonly [part in DeclaredPart]: string };
}

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

/** Connection settings that bound time and size but change no call. */
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
