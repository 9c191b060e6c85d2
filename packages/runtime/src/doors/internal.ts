export { answerOrRefuse } from "../extensions/durable/answer-or-refuse.js";
export { isLabelEntry, memoryLabels } from "../calls/kept-labels.js";
export { hasHardened, spellOut } from "../calls/present-question.js";
export { isSameList } from "../dispatch/registry/assemble.js";
export { DISPATCHER_OPTIONS, refuseOldOptions } from "../dispatch/check-options.js";
export { MCP_PREFIX, READ_RESULT } from "../tool/tool-names.js";
export { removeSecrets, SECRET } from "../tool/secrets.js";
export { withoutSecrets } from "../dispatch/pipeline/quoted-secrets.js";
export { keepKnownKeywords, liveTools, mcpName } from "../extensions/live/mcp-entry.js";
export { createRanking } from "../extensions/search/rank-tools.js";
export { awaitCallsEnd } from "../dispatch/scheduling/gate.js";
export { untilAborted } from "../dispatch/scheduling/until-aborted.js";
export { LONGEST_TIMER, withTimeout } from "../dispatch/scheduling/with-timeout.js";
export { runOneByOne } from "../providers/calls-one-by-one.js";
export { readDefinition } from "../providers/read-wire.js";
export { callError, LIMIT_CODES, type LimitCode } from "../results/call-errors.js";
export { MOST_IMAGE_CHARS, findImage, toContent } from "../results/content.js";
export { fromCallToolResult, showContent } from "../results/from-call-tool-result.js";
export { NOTHING } from "../results/from-returned.js";
export { failure, type Outcome } from "../results/outcome.js";
export { blockText, createTextContent, cut, messageOf, plainText } from "../results/text.js";
export { type CallOptions, type DeclaredHandler, declaredHandler } from "../secrets/declared-handler.js";
export { LONGEST_SECRET, Redactor, type SecretHolder, SecretPatterns, type TokenSource } from "../secrets/redactor.js";
export { findSecrets } from "../secrets/secrets-in.js";
export { computeBeforeRunning, listBeforeRunning } from "../results/compute-before-running.js";
export { readProperty } from "../tool/callback.js";
export {
  type OptionKind,
  type Shape,
  aBoolean,
  aFunction,
  aList,
  aText,
  anAmount,
  anObject,
  anything,
  checkShape,
  hasMethods,
  listOf,
  oneOf,
} from "../tool/shape.js";
