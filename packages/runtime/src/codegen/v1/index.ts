export { type BoundTool, bindLazySpec, bindLazyTool, bindSpec, bindTool } from "./bind-tool.js";
export * from "./cel.js";
export { createRegistry, type Features, listFor, type Registry, type RegistryEntries } from "./registry.js";
export {
  type CustomCheck,
  type CustomDescription,
  type CustomPredicate,
  type Execute,
  externalHandler,
  type HandlerModule,
  kindHandler,
  type LazyHandlerModule,
} from "./handler.js";
export * from "./lazy-schema.js";
export { once as lazy } from "@hasp/base/json";
export { complete, failClosed, gemini, type Listing, listTool } from "./listing.js";
export * from "./entry-makers.js";
export type * from "./provider-lists.js";
export { wrapInNamespaces as inNamespaces } from "@hasp/schema/internal/entries";
export { linearPattern } from "@hasp/schema/vocabulary";
export { allDecoders, allKeywords, plainDecoders } from "@hasp/schema/internal/runtime";
export { toDraft07 } from "../../tool/standard-schema.js";
export { createResourceFinder } from "../../tool/resource-key.js";
export { nativePattern, type ToolParts } from "../../tool/tool-parts.js";
export { sentence } from "../../tool/sentence.js";
export type { SpecCheck, SpecPredicate, ToolSpec } from "./tool-spec.js";
export type { PermissionPolicy } from "../../dispatch/permissions/permission-types.js";
export type { ToolMetadata } from "../../tool/fields.js";
export type { JsonSchema } from "@hasp/schema";
