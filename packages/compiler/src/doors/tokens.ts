export {
  TOKENIZER_PACKAGE,
  type TokenPlan,
  type ToolTokens,
  countEntryTokens,
  countPromptTokens,
  countTokensByTool,
  findTokenizerProblem,
  sumTokens,
} from "../text/prompt-tokens.js";
