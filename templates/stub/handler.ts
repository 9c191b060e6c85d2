import { NotExecuted } from "@hasp/runtime";
import type { __HANDLER_TYPE__ } from "__TOOL_MODULE__";

__DOCSTRING__
export const execute: __HANDLER_TYPE__["execute"] = () => {
  throw new NotExecuted("__MESSAGE__");
};
