import { isOwnDialect } from "./dialect.js";
import { dialects, isStrict, type DialectId, type DialectName } from "@hasp/schema";
import type { CompilePlan, DialectPlan } from "./plan.js";

/** A plan as a program may write it, with the defaults of an empty configuration; a dialect may be its id alone. */
export type PlanInput = Partial<Omit<CompilePlan, "dialects">> & {
  readonly dialects?: readonly (DialectId | DialectPlan)[];
};

/** Stands for today if the day is unknown: every approval that ends then counts as ended. */
export const DAY_UNKNOWN = "9999-12-31";

export const DEFAULT_DIALECTS: readonly DialectId[] = ["anthropic", "openai-responses", "gemini-json-schema", "mcp"];

/** Fills what a plan leaves out. Throws a `TypeError` for an unknown dialect, which is a mistake of the program. */
export function completePlan({ dialects: listed = DEFAULT_DIALECTS, ...given }: PlanInput = {}): CompilePlan {
  return {
    outDir: "src/generated",
    handlersDir: "src/tools",
    toolsets: [{ name: "all", include: "all", exclude: [] }],
    budgets: {},
    rules: {},
    overrides: [],
    ignore: [],
    exclude: [],
    unlocked: false,
    today: DAY_UNKNOWN,
    handlerDigests: {},
    ...given,
    dialects: listed.map((dialect) => known(typeof dialect === "string" ? createPlainDialect(dialect) : dialect)),
  };
}

/** Plans a dialect by its id. A `-strict` one excludes tools that it cannot carry; in any other they are errors. */
export function createPlainDialect(id: DialectName): DialectPlan {
  return isOwnDialect(id) && isStrict(id)
    ? { id, strict: true, onUncarried: "exclude" }
    : { id, strict: false, onUncarried: "error" };
}

function known(plan: DialectPlan): DialectPlan {
  if (!isOwnDialect(plan.id) && plan.foreign === undefined) {
    throw new TypeError(`There is no dialect "${String(plan.id)}"; there are: ${Object.keys(dialects).join(", ")}.`);
  }
  return plan;
}
