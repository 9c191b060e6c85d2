export { createClassifier, type Classified, createDefinition } from "../run/classify.js";
export { type CallReport, runCall } from "../run/run-call.js";
export { type EntryData, type RunnableTool, createSpec } from "../run/runnable-spec.js";
export { createRunnableTool, listConditions } from "../run/runnable-tool.js";
export { type IsolationOptions, collectSpecData, isLoadedOnFirstCall, readIsolation } from "../run/spec-data.js";
