import type { BuiltInPlugin } from "@hasp/compiler/plugins";
import { handlers } from "@hasp/handlers/build";
import { mcp } from "@hasp/mcp/build";

/** The plugins with hasp's kinds of declared handlers. */
export const kindPlugins: readonly BuiltInPlugin[] = [handlers, mcp];
