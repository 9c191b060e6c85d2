import { expect, test } from "vitest";
import { typeMembers } from "./parser.js";

test.each([
  ["an interface", "export interface C { readonly db: Db; close(): void; 'a-b'?: 1 }", ["db", "close", "a-b"]],
  ["an alias for an object literal", "export type C = { readonly user: string };", ["user"]],
  ["an interface in two parts", "export interface C { a: 1 }\nexport interface C { b: 1 }", ["a", "b"]],
  ["an empty one", "export interface C {}", []],
])("lists the members of %s", (_name, text, members) => {
  expect(typeMembers("src/context.ts", text, "C")).toEqual(members);
});

test.each([
  ["is imported", 'import type { C } from "./other.js";\nexport type { C };'],
  ["extends another", "export interface C extends Base { a: 1 }"],
  ["is an intersection", "export type C = { a: 1 } & Base;"],
  ["is computed", "export type C = Pick<Base, 'a'>;"],
  ["has an index", "export interface C { a: 1; [name: string]: unknown }"],
  ["has a computed name", "export interface C { [key]: 1 }"],
  ["is a class", "export class C { a = 1 }\nexport interface C { b: 1 }"],
  ["cannot be parsed", "export interface C { a: "],
  ["is not there", "export interface D { a: 1 }"],
])("returns undefined for a type that %s", (_name, text) => {
  expect(typeMembers("src/context.ts", text, "C")).toBeUndefined();
});
