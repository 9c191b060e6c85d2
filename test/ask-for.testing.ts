import { inject } from "vitest";
import type { EmbeddedServer } from "../tools-spec/src/services/embedded-postgres.js";

/** Asks for what all test files of a run share (`shared-services.ts`). */
export async function askFor<Value>(name: "databases" | "tarballs"): Promise<Value> {
  const response = await fetch(`${inject("services")}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Value;
}

/** Two databases of one test file. */
export type Databases = Pick<EmbeddedServer, "urls">;

/** Creates two databases in the Postgres of this run, which outlives the test. A test that kills a server starts its own. */
export async function createDatabases(): Promise<Databases> {
  return { urls: await askFor("databases") };
}
