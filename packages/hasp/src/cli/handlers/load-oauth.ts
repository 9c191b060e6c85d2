import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export type OauthRuntime = typeof import("@hasp/handlers/oauth");

/**
 * Loads the project's own `@hasp/handlers/oauth`, so that calls find what a login stores.
 * Returns the missing package otherwise: `oauth4webapi` is optional.
 */
export async function loadOauth(root: string): Promise<OauthRuntime | { readonly missing: string }> {
  const runtime = find(join(root, "package.json"), "@hasp/handlers/oauth");
  if (runtime === undefined) return { missing: "@hasp/handlers" };
  if (find(runtime, "oauth4webapi") === undefined) return { missing: "oauth4webapi" };
  return (await import(pathToFileURL(runtime).href)) as OauthRuntime;
}

function find(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
