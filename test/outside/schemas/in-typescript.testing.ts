// One booking, written with each library whose schemas people have in TypeScript. Each prints its own JSON Schema.
import { type TSchema, Type } from "@sinclair/typebox";
import { toJsonSchema } from "@valibot/to-json-schema";
import { scope } from "arktype";
import { Schema } from "effect";
import * as v from "valibot";
import { z } from "zod";

/** The JSON Schema of a tool's input, as a program of a user's prints it. */
type Printed = Readonly<Record<string, unknown>>;

const zodNode = z.object({
  label: z.string(),
  get children() {
    return z.array(zodNode).optional();
  },
});
const zod = z.object({
  customer: z.string().min(1),
  when: z.iso.datetime(),
  contact: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("email"), address: z.email() }),
    z.object({ kind: z.literal("phone"), number: z.string(), hours: z.string().optional() }),
  ]),
  labels: z.record(z.string(), z.int()),
  size: z.tuple([z.int(), z.int()]),
  tree: zodNode,
  limit: z.int().min(1).default(20),
  note: z.string().nullable(),
});

const typeboxFields = {
  customer: Type.String({ minLength: 1 }),
  when: Type.String({ format: "date-time" }),
  contact: Type.Union([
    Type.Object({ kind: Type.Literal("email"), address: Type.String({ format: "email" }) }),
    Type.Object({ kind: Type.Literal("phone"), number: Type.String() }),
  ]),
  labels: Type.Record(Type.String(), Type.Integer()),
  size: Type.Tuple([Type.Integer(), Type.Integer()]),
  limit: Type.Optional(Type.Integer({ default: 20 })),
  note: Type.Union([Type.String(), Type.Null()]),
};
/** A recursive type refers to an `$id` that the library makes. */
const typebox = Type.Object({
  ...typeboxFields,
  tree: Type.Recursive((Node) => Type.Object({ label: Type.String(), children: Type.Optional(Type.Array(Node)) })),
});
/** The types of a module refer to each other by their names as `$id`. */
const typeboxModule: TSchema = Type.Module({
  Node: Type.Object({ label: Type.String(), children: Type.Optional(Type.Array(Type.Ref("Node"))) }),
  Booking: Type.Object({ ...typeboxFields, tree: Type.Ref("Node") }),
}).Import("Booking");

interface Node {
  readonly label: string;
  readonly children?: readonly Node[] | undefined;
}

const valibotNode: v.GenericSchema<Node> = v.object({
  label: v.string(),
  children: v.optional(v.array(v.lazy(() => valibotNode))),
});
const valibot = v.object({
  customer: v.pipe(v.string(), v.minLength(1)),
  when: v.pipe(v.string(), v.isoTimestamp()),
  contact: v.variant("kind", [
    v.object({ kind: v.literal("email"), address: v.pipe(v.string(), v.email()) }),
    v.object({ kind: v.literal("phone"), number: v.string() }),
  ]),
  labels: v.record(v.string(), v.pipe(v.number(), v.integer())),
  size: v.tuple([v.pipe(v.number(), v.integer()), v.pipe(v.number(), v.integer())]),
  tree: valibotNode,
  limit: v.optional(v.pipe(v.number(), v.integer()), 20),
  note: v.nullable(v.string()),
});

const arktype = scope({
  Node: { label: "string", "children?": "Node[]" },
  Email: { kind: "'email'", address: "string.email" },
  Phone: { kind: "'phone'", number: "string" },
  Labels: { "[string]": "number.integer" },
  Booking: {
    customer: "string > 0",
    when: "string.date.iso",
    contact: "Email | Phone",
    labels: "Labels",
    size: ["number.integer", "number.integer"],
    tree: "Node",
    limit: "number.integer = 20",
    note: "string | null",
  },
}).export().Booking;

const effectNode = Schema.Struct({
  label: Schema.String,
  children: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Node> => effectNode))),
}).annotate({ identifier: "Node" });
const effect = Schema.Struct({
  customer: Schema.NonEmptyString,
  when: Schema.String,
  contact: Schema.Union([
    Schema.Struct({ kind: Schema.Literal("email"), address: Schema.String }),
    Schema.Struct({ kind: Schema.Literal("phone"), number: Schema.String }),
  ]),
  labels: Schema.Record(Schema.String, Schema.Int),
  size: Schema.Tuple([Schema.Int, Schema.Int]),
  tree: effectNode,
  limit: Schema.optionalKey(Schema.Int),
  note: Schema.NullOr(Schema.String),
});

function printEffect(): Printed {
  const { schema, definitions } = Schema.toJsonSchemaDocument(effect);
  return { ...schema, $defs: definitions };
}

const printed = (schema: object): Printed => JSON.parse(JSON.stringify(schema)) as Printed;

/** The schemas that each library prints, by a name for a tool. */
export const PRINTED: Readonly<Record<string, Printed>> = {
  zod: printed(z.toJSONSchema(zod, { io: "input" })),
  zod_draft_7: printed(z.toJSONSchema(zod, { io: "input", target: "draft-7" })),
  typebox: printed(typebox),
  typebox_module: printed(typeboxModule),
  valibot: printed(toJsonSchema(valibot, { typeMode: "input", definitions: { Node: valibotNode } })),
  arktype: printed(arktype.in.toJsonSchema()),
  effect: printEffect(),
};
