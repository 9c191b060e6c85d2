__DOCSTRING__
export const __FUNCTION_NAME__: __HANDLER_TYPE__["__FUNCTION_NAME__"] = () => {
  throw new NotExecuted("__MESSAGE__");
};
