// Property tests draw the same cases on every run, so that a red run is somebody's change and not somebody's luck.
// HASP_FUZZ_SEED=random (or a number) draws others, HASP_FUZZ_RUNS=n draws more: that is how they are let loose.
import fc from "fast-check";

const asked = process.env["HASP_FUZZ_SEED"];
if (asked !== "random") {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: asked === undefined ? 20_260_101 : Number(asked) });
}
