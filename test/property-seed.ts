// Property tests draw the same cases on every run, so that a red run is somebody's change and not somebody's luck. Few are
// enough then: more runs repeat what these have shown. HASP_FUZZ_SEED=random (or a number) draws others, HASP_FUZZ_RUNS=n
// draws more: that is how they are let loose.
import fc from "fast-check";

const asked = process.env["HASP_FUZZ_SEED"];
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  // A property whose cases are cheap, rare or expensive states a number of its own.
  numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 50),
  ...(asked === "random" ? {} : { seed: asked === undefined ? 20_260_101 : Number(asked) }),
});
