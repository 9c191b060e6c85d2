import type { PickShapeHandler } from "../generated/tools/pick-shape.js";

export const execute: PickShapeHandler["execute"] = ({ shape, by }) => {
  if (by !== undefined && by !== null && "phone" in by) return { drawn: false, why: `call ${by.phone}` };
  return { drawn: true, area: shape.kind === "circle" ? 3 * shape.radius ** 2 : shape.width * shape.height };
};
