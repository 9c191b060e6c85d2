export { expectSettings } from "../verify/expected-handler.js";
export { answerQuestion, createRecordedCall, markArgument } from "../verify/question.js";
export { type Answers, type BuildQuestions, type BuildToVerify, verifyBuild } from "../verify/verify-build.js";
