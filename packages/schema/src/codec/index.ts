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
export { inexactInteger, isExactNumber, quoteInexactIntegers } from "../json/exact-number.js";
export { createDecoder, decode, type DecodeFault, type Decoder } from "./decode.js";
export { createEncoder, encode } from "./encode.js";
