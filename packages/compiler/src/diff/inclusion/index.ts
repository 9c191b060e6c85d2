import type { JsonSchema } from "@hasp/schema";
import type { Obstacle } from "./obstacle.js";
import { Prover } from "./prover.js";

export type { Obstacle } from "./obstacle.js";

/** Tries to prove that `outer` accepts every value of `inner`. An obstacle only says where the proof ends. */
export function obstaclesTo(inner: JsonSchema, outer: JsonSchema): readonly Obstacle[] {
  const obstacles = new Prover(inner, outer).below([{ schema: inner, pointer: "" }], outer, "", "");
  const firsts = new Map<string, Obstacle>();
  for (const obstacle of obstacles) {
    const key = `${obstacle.pointer} ${obstacle.keyword}`;
    if (!firsts.has(key)) firsts.set(key, obstacle);
  }
  return [...firsts.values()];
}
