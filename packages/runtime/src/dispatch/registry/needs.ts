import type { AnyTool } from "../../tool/tool.js";

/** Throws a `TypeError` that names every variable of the environment that some tool needs and nobody set. */
export function checkNeeds(
  tools: readonly AnyTool[],
  env: { readonly [name: string]: string | undefined } | undefined,
): void {
  const faults = tools.flatMap((tool) => {
    const missing = tool.needs.env.filter((name) => env === undefined || !Object.hasOwn(env, name) || env[name] === "");
    return missing.length === 0 ? [] : [`${tool.name} needs ${missing.join(", ")}`];
  });
  if (faults.length === 0) return;
  throw new TypeError(
    `The environment lacks what some tools need: ${faults.join("; ")}. Set it, give createDispatcher \`env\`, or leave these tools out.`,
  );
}
