import type { GatedHandler } from "../generated/tools/gated.js";

export const execute: GatedHandler["execute"] = ({ x }) => ({ drawn: x ?? "" });
