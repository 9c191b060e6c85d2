export interface OptionKind {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

export interface Shape {
  readonly [key: string]: OptionKind;
}

export type Refuse = (path: string, what: string) => never;

export const anything: OptionKind = { expected: "anything", fits: () => true };
export const aText: OptionKind = { expected: "a string", fits: (value) => typeof value === "string" };
export const aBoolean: OptionKind = { expected: "true or false", fits: (value) => typeof value === "boolean" };
export const aFunction: OptionKind = { expected: "a function", fits: (value) => typeof value === "function" };
export const anObject: OptionKind = {
  expected: "an object",
  fits: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
export const aList: OptionKind = { expected: "a list", fits: Array.isArray };
export const aCount: OptionKind = {
  expected: "a whole number above 0",
  fits: (value) => Number.isSafeInteger(value) && (value as number) > 0,
};
/** A number above 0, or `Infinity`. */
export const anAmount: OptionKind = {
  expected: "a number above 0",
  fits: (value) => typeof value === "number" && value > 0,
};

export function hasMethods<Type>(...names: readonly (keyof Type & string)[]): OptionKind {
  return {
    expected: `an object with the methods ${names.join(", ")}`,
    fits: (value) => anObject.fits(value) && names.every((name) => aFunction.fits(Reflect.get(value as object, name))),
  };
}

export function oneOf(...words: readonly string[]): OptionKind {
  return {
    expected: words.length === 2 ? words.join(" or ") : `one of ${words.join(", ")}`,
    fits: (value) => words.includes(value as string),
  };
}

export function listOf(items: string, item: OptionKind): OptionKind {
  return { expected: `a list of ${items}`, fits: (value) => Array.isArray(value) && value.every(item.fits) };
}

/** Refuses unknown keys and wrong kinds; `undefined` counts as absent. `prefix` is a path such as `hooks.`. */
export function checkShape(value: object, shape: Shape, prefix: string, refuse: Refuse): void {
  for (const [key, item] of Object.entries(value)) {
    const path = `\`${prefix}${key}\``;
    const kind = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (kind === undefined) refuse(path, `is unknown; known here: ${Object.keys(shape).join(", ")}`);
    else if (item !== undefined && !kind.fits(item)) refuse(path, `must be ${kind.expected}`);
  }
}
