import { clients, kindPlugins } from "@hasp/builtin";
import { createConfigSchema, createToolSpecSchema } from "@hasp/compiler/formats";
import type { JsonObject } from "@hasp/schema";

const kinds = kindPlugins.flatMap(({ handlerKinds = [] }) => handlerKinds);

export const toolSpecSchema: JsonObject = createToolSpecSchema(kinds);
export const haspConfigSchema: JsonObject = createConfigSchema(kinds, Object.keys(clients));
