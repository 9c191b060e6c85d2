export type { Codec } from "./codec.js";
export { decode, type DecodeFault } from "./decode.js";
export { createEncoder, encode } from "./encode.js";
