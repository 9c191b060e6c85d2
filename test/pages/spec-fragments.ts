import { parse, stringify } from "yaml";
import { compile } from "@hasp/project/built-in";
import { runSpecTests } from "@hasp/builtin/tests";
import { plan } from "../generated/generated-project.js";

/** The spec that the fragments of the pages complete; a fragment replaces the same key. */
const BASE: { readonly [key: string]: unknown } = {
  hasp: 1,
  name: "handle_page",
  description: "Handle one page. Use it in these documents. Do not use it elsewhere.",
  input: {
    type: "object",
    required: ["mode"],
    properties: {
      mode: { enum: ["read", "write"], description: "What is done." },
      path: { type: "string", maxLength: 200, description: "Where it stands." },
      scope: { enum: ["scratch", "all"], description: "How far it goes." },
    },
  },
};

/**
 * Checks a part of a spec: keys from the top of one or, where it is indented, properties of its input. It must compile
 * without an error but for missing approvals, its tests must pass, and each suppression in it must be used.
 */
export async function problemsOfSpec(fragment: string): Promise<readonly string[]> {
  const result = await compile([{ uri: "specs/handle_page.tool.yaml", role: "spec", text: wholeSpec(fragment) }], plan);
  const errors = result.diagnostics.filter(
    ({ code, severity }) => severity === "error" && code !== "ledger/not-approved",
  );
  const tests = await runSpecTests(result.tools);
  const failed = tests.flatMap(({ status, problems }) => (status === "passed" ? [] : problems));
  return [...errors, ...failed].map(({ message }) => message);
}

function wholeSpec(fragment: string): string {
  if (!/^\s/u.test(fragment)) {
    const own = Object.keys(parse(fragment) as object);
    return stringify(Object.fromEntries(Object.entries(BASE).filter(([key]) => !own.includes(key)))) + fragment;
  }
  const { input, ...rest } = BASE;
  // The properties stand last, so that one more can follow.
  const properties = fragment.split("\n").map((line) => (line.trim() === "" ? "" : `    ${line.trimStart()}`));
  return `${stringify(rest)}${stringify({ input })}${properties.join("\n")}`;
}
