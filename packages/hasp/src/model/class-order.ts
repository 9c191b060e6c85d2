import type { ConcurrencyClass } from "@hasp/runtime";

/** The classes from the strictest to the mildest. */
export const CLASS_ORDER: readonly ConcurrencyClass[] = ["UNSAFE", "WRITE_EXCLUSIVE", "READ_ONLY"];
