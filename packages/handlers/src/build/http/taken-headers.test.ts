import { expect, test } from "vitest";
import { TAKEN_HEADERS } from "./http-handler.js";
import { NOT_FOR_PARAMETERS } from "../../http/request/headers.js";

test("check reports every header that a call would refuse, and two that the runtime sets itself", () => {
  const reported = Object.keys(TAKEN_HEADERS).toSorted();
  expect(reported).toEqual(["authorization", "content-type", ...NOT_FOR_PARAMETERS].toSorted());
});
