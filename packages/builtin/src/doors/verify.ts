export { expectSettings } from "../verify/expected-handler.js";
export { answerQuestion, createRecordedCall, markArgument } from "../verify/question.js";
export { PART_NAMES } from "../emitters/module-parts/needed-parts.js";
export { type Answers, type BuildQuestions, type BuildToVerify, verifyBuild } from "../verify/verify-build.js";
