import { valuesOf } from "../formats/format-schema.js";
import type { Complete } from "./completion.js";
import { valueText } from "./value-text.js";

/** Offers the format's values. */
export const formatValues: Complete = ({ schemas, part, isJson, isQuoted }) =>
  part === "key"
    ? []
    : valuesOf(schemas).flatMap((value) => {
        const label = typeof value === "string" ? value : JSON.stringify(value);
        return isQuoted && typeof value !== "string"
          ? []
          : [
              {
                label,
                kind: "value",
                insert: typeof value === "string" ? valueText(value, { isJson, isQuoted }) : label,
              },
            ];
      });
