export { fromBase64Url, toBase64Url } from "./base64url.js";
export { cloneJson, copyJson, deepFreeze, setOwn } from "./copy-json.js";
export { withDefinitions } from "./definitions.js";
export { dropUndefined } from "./drop-undefined.js";
export {
  computeLeastCommonMultiple,
  inexactInteger,
  isExactNumber,
  isMultipleOf,
  parseExactJson,
  refuseRounded,
} from "./exact-number.js";
export { findOrAdd } from "./find-or-add.js";
export { groupBy, indexBy } from "./group-by.js";
export {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  type MutableRecord,
  canonicalText,
  explainNotJson,
  isList,
  isObject,
  isPlainObject,
  isStructured,
  own,
  toList,
  toObject,
} from "./json-value.js";
export { inherited, lazily, loadOnDemand } from "./on-demand.js";
export { once } from "./once.js";
export { type Rewrite, toPlainJson } from "./plain-json.js";
export {
  appendToPointer,
  decodeFragment,
  escapeToken,
  findValueAt,
  followReference,
  parsePointer,
  readReference,
  readStep,
  unescapeToken,
  writeReference,
} from "./pointer.js";
export { sortBy } from "./sort-by.js";
export { sumBy } from "./sum-by.js";
export { mapMembers, pickMembers, toRecord } from "./members.js";
export { isEqualJson, isPlain, isSameJson, isSameJsonText, readOwnMember, withoutTwins } from "./same-json.js";
export { sha256 } from "./sha256.js";
