export { HandlerProcess } from "../modules/handlers/handler-process.js";
export type { ModuleExports } from "../modules/handlers/messages.js";
export { importModule, offerImporter } from "../modules/import-module.js";
export { listImportablePackages } from "../modules/installed-packages.js";
export {
  type LoadedContext,
  type LoadedRegistry,
  type RegistryFault,
  findPolicyBeside,
  loadContext,
  loadPolicy,
  loadRegistry,
  loadToolsetsBeside,
} from "../modules/load-registry.js";
export { answerQuestions } from "../processes/answer-questions.js";
export { askChild, describeLapse, plainEnvironment, runAgain } from "../processes/child.js";
export { findTwins } from "../modules/twins.js";
export { type DatabaseClient, createConnection, hidePassword, isPostgresAddress, loadPg } from "../modules/postgres.js";
