import type { BuiltInPlugin } from "@hasp/compiler/plugins";
import { handlers } from "@hasp/handlers/build";
import { mcp } from "@hasp/mcp/build";
import { external } from "./external-kind.js";

/** The plugins with hasp's kinds of declared handlers. */
export const kindPlugins: readonly BuiltInPlugin[] = [handlers, mcp, external];
