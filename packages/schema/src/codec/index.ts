export type {
  ArrayCodec,
  Codec,
  DefinitionsCodec,
  ObjectCodec,
  PairsCodec,
  PropertyCodec,
  ReferenceCodec,
  RestCodec,
  TextCodec,
  TupleCodec,
  UnionCodec,
  WrapCodec,
} from "./codec.js";
export { inexactInteger, isExactNumber, quoteInexactIntegers } from "@hasp/base/json";
export { createDecoder, decode, type DecodeFault, type Decoder } from "./decode.js";
export { createEncoder, encode } from "./encode.js";
