import type { Severity } from "@hasp/schema";

/** A rule as reports and `hasp explain` show it: plain data. */
export interface RuleFacts {
  /** `group/name`, or `plugin/name`. */
  readonly id: string;
  /** `off` for a rule that a project must ask for. */
  readonly severity: Severity | "off";
  /** One sentence: what must be so. */
  readonly summary: string;
  /** A short paragraph: what goes wrong otherwise. */
  readonly why: string;
  readonly examples: {
    readonly bad: readonly { readonly spec: string }[];
    readonly good: readonly (string | { readonly spec: string })[];
  };
}
