export { VerifierError, verifyFiles } from "../modules/emitted/ask-verifier.js";
export { runModules } from "../modules/emitted/emitted-modules.js";
