import test from "node:test";
import { testRule } from "hasp/plugin";
import plugin from "./acme.mjs";

for (const rule of plugin.rules) test(rule.id, () => testRule(rule));
