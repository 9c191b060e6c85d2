export { createClassifier } from "../run/classify.js";
export { type CallReport, runCall } from "../run/run-call.js";
export { type EntryData, type RunnableTool, createSpec } from "../run/runnable-spec.js";
