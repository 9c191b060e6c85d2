import type { JsonObject } from "@hasp/schema";
import { createConfigSchema } from "../spec/hasp-config-schema.js";
import { createToolSpecSchema } from "../spec/tool-spec-schema.js";
import { handlers, mcp } from "./handlers/kinds.js";

const kinds = [handlers, mcp].flatMap(({ handlerKinds = [] }) => handlerKinds);

export const toolSpecSchema: JsonObject = createToolSpecSchema(kinds);
export const haspConfigSchema: JsonObject = createConfigSchema(kinds);
