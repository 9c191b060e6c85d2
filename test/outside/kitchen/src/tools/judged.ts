import type { JudgedHandler } from "../generated/tools/judged.js";

export const execute: JudgedHandler["execute"] = ({ size }, { context }) => ({
  found: context.plan === "team" ? size : 0,
});
export const isDraft: JudgedHandler["isDraft"] = ({ mode }) => mode === "draft";
export const isPrivate: JudgedHandler["isPrivate"] = ({ to }) => to !== undefined;
export const isKnown: JudgedHandler["isKnown"] = ({ query }) => query !== "unknown" || "there is no such query";
export const describeJudged: JudgedHandler["describeJudged"] = ({ plan, tenant }) => `Judge for ${tenant} (${plan}).`;
