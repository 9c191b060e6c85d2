import type { AloneHandler } from "../generated/tools/alone.js";

export const execute: AloneHandler["execute"] = ({ text }) => ({ loud: text.toUpperCase() });
