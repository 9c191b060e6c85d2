import type { Checkout } from "./read-sources.js";

export function measureWalls(checkout: Checkout): { readonly [figure: string]: number | readonly string[] };
