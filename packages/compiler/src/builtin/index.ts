import { emitters } from "./emitters/index.js";
import type { Plugin } from "../plugins/plugin.js";
import { rules } from "./rules/index.js";

/** The rules and emitters of hasp: a plugin like any other, whose names have no prefix. */
export const builtin: Plugin = { name: "hasp", rules, emitters };
