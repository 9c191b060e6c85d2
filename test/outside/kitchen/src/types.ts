// Promises to a user's program, in statements that only compile if the types say so.
import { createDispatcher } from "@hasp/runtime";
import { host } from "./context.js";
import { registry, toolsets, type ToolName, type Tools } from "./generated/registry.js";

/** Accepts a value of exactly this type. */
type Same<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;

export const filled: Same<Tools["add"]["input"]["b"], number> = true;
export const optional: Tools["add"]["arguments"] = { a: 1 };
export const name: ToolName = "pick_shape";
export const picked: "add" = registry.pick(["add", "later"]).get("add").name;
export const guests: readonly string[] = toolsets.guest;
export const results: Promise<readonly object[]> = createDispatcher({ tools: registry }).dispatch([], {
  context: host,
});

// @ts-expect-error there is no such tool
registry.get("ad");
// @ts-expect-error the handler's input has its defaults
export const unfilled: Tools["add"]["input"] = { a: 1 };
// @ts-expect-error the input is closed
export const extra: Tools["add"]["arguments"] = { a: 1, c: 2 };
// @ts-expect-error the kind decides
export const wrong: Tools["pick_shape"]["arguments"]["shape"] = { kind: "box", radius: 1 };

export function measure({ shape, by }: Tools["pick_shape"]["input"]): number {
  if (by && "email" in by) return by.email.length;
  switch (shape.kind) {
    case "circle":
      return shape.radius + shape.fill.length;
    case "box":
      return shape.width * shape.height;
  }
}
