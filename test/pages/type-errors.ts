import { compileSpecs, createProject } from "../generated/generated-project.js";

/** Type-checks a handler that lacks the function that its spec asks for, and returns the errors. */
export async function errorsOfLackingHandler(): Promise<string> {
  const result = await compileSpecs({
    "specs/cancel_order.tool.json": {
      hasp: 1,
      name: "cancel_order",
      description: "Cancel an order.",
      input: { type: "object", properties: {} },
      concurrency: { rules: [{ custom: "isHarmless", class: "READ_ONLY" }] },
    },
  });
  const project = createProject(result);
  try {
    project.write("src/tools/cancel-order.ts", "export const execute = (): string => 'done';\n");
    return project.typeErrors();
  } finally {
    project.remove();
  }
}
