// Written by `pnpm gen` from the files of this folder: adding one is adding a file.
import type { Emitter } from "./base/emitter.js";
import { bundle } from "./bundle.js";
import { connectionModules } from "./connection-modules.js";
import { definitionModules } from "./definition-modules.js";
import { handlerModules } from "./handler-modules.js";
import { losses, providerListJson, providerListTypeScript } from "./provider-lists.js";
import { policyModules } from "./policy-modules.js";
import { programDeclarations } from "./program-declarations.js";
import { registry } from "./registry.js";
import { specModules } from "./spec-modules.js";
import { stubs } from "./stubs.js";
import { toolModule } from "./tool-module.js";

/** Every emitter, by name. */
export const emitters: readonly Emitter[] = [
  bundle,
  connectionModules,
  definitionModules,
  handlerModules,
  losses,
  policyModules,
  programDeclarations,
  providerListJson,
  providerListTypeScript,
  registry,
  specModules,
  stubs,
  toolModule,
];
