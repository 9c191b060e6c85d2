import type { JsonSchema } from "../vocabulary/json-schema.js";

/**
 * The shape change of one lowering, as plain JSON data, so that generated code can carry it.
 * `undefined` stands for "this subtree is sent as it is". `encode` turns a value of the source schema into one of the
 * lowered schema, `decode` turns it back; both live in this folder and know nothing of dialects.
 */
export type Codec =
  | ObjectCodec
  | ArrayCodec
  | TupleCodec
  | PairsCodec
  | WrapCodec
  | UnionCodec
  | TextCodec
  | ReferenceCodec
  | DefinitionsCodec;

/** An object whose keys are renamed, whose optional keys are sent as `null`, or whose values change. */
export interface ObjectCodec {
  readonly kind: "object";
  /** Keyed by the source's property name. Names that are absent here pass unchanged. */
  readonly properties: { readonly [name: string]: PropertyCodec };
  /** For the values of keys that `properties` does not name. */
  readonly additional?: Codec;
  /** Keys that the schema does not declare are sent as a list of pairs under one more key. */
  readonly rest?: RestCodec;
}

export interface PropertyCodec {
  /** The name on the wire, if it is not the source's own. */
  readonly wire?: string;
  /** The form of absence. `wrapped`: present is sent as `{ "value": x }`, so that absent and null stay distinct. */
  readonly absent?: "null" | "wrapped";
  readonly value?: Codec;
}

/** The list of pairs that holds the undeclared keys of an object. */
interface RestCodec {
  readonly wire: string;
  /** The declared keys: every other one belongs to the list. */
  readonly declared: readonly string[];
  readonly value?: Codec;
}

export interface ArrayCodec {
  readonly kind: "array";
  readonly items: Codec;
}

/** A tuple sent as an object: its first items under `names`, further ones under `rest`. */
export interface TupleCodec {
  readonly kind: "tuple";
  readonly names: readonly string[];
  readonly rest?: string;
  readonly value?: Codec;
}

/** A typed map sent as a list of `{ "key": …, "value": … }`. */
export interface PairsCodec {
  readonly kind: "pairs";
  readonly value?: Codec;
}

/** A value sent inside an object under one key. */
export interface WrapCodec {
  readonly kind: "wrap";
  readonly wire: string;
  readonly value?: Codec;
}

/** A union whose branches change differently; `encode` goes by the first `accepts`, `decode` by the first `wire`. */
export interface UnionCodec {
  readonly kind: "union";
  readonly branches: readonly { readonly accepts: JsonSchema; readonly wire: JsonSchema; readonly value?: Codec }[];
}

/** A value sent as its JSON text (a place that the dialect cannot type). */
export interface TextCodec {
  readonly kind: "text";
}

interface ReferenceCodec {
  readonly kind: "reference";
  readonly name: string;
}

/** The root of a codec that has named recursive parts. */
export interface DefinitionsCodec {
  readonly kind: "definitions";
  readonly definitions: { readonly [name: string]: Codec };
  readonly root: Codec;
}
