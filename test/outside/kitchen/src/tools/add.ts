import type { AddHandler } from "../generated/tools/add.js";

export const execute: AddHandler["execute"] = ({ a, b }) => ({ sum: a + b });
