export { answerQuestion } from "../verify/question.js";
export { PART_NAMES } from "../emitters/module-parts/needed-parts.js";
export {
  type Answers,
  type BuildQuestions,
  type BuildToVerify,
  verifyBuild,
  verifyData,
  verifyModules,
} from "../verify/verify-build.js";
export { type Expectation, listExpectations } from "../verify/expected-build.js";
