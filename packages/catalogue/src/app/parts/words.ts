import type { Asking, ToolEffect, ToolSummary } from "../../model.js";

/** The level of attention, which names a colour. */
export type Tone = "calm" | "caution" | "danger";

export const EFFECTS: { readonly [name in ToolEffect]: { readonly title: string; readonly short: string } } = {
  reads: { title: "Only reads", short: "only reads" },
  writes: { title: "Writes", short: "writes" },
  destroys: { title: "May destroy", short: "may destroy" },
};

export const ASKING: { readonly [name in Asking]: { readonly title: string; readonly short: string } } = {
  always: { title: "Asks every time", short: "asks every time" },
  sometimes: { title: "Runs unasked for some inputs", short: "sometimes unasked" },
  never: { title: "Runs unasked", short: "runs unasked" },
};

const TONES: { readonly [effect in ToolEffect]: { readonly [asking in Asking]: Tone } } = {
  reads: { always: "calm", sometimes: "calm", never: "calm" },
  writes: { always: "calm", sometimes: "caution", never: "caution" },
  destroys: { always: "caution", sometimes: "danger", never: "danger" },
};

export function chooseTone({ effect, asking }: Pick<ToolSummary, "effect" | "asking">): Tone {
  return TONES[effect][asking];
}

export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${thousands(number)} ${number === 1 ? one : many}`;
}

/** Groups thousands with spaces, the same in every locale. */
export function thousands(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/gu, "\u{202f}");
}

export function formatPercent(share: number): string {
  const value = share * 100;
  if (value >= 10) return `${Math.round(value)} %`;
  return value < 0.05 ? "< 0.1 %" : `${value.toFixed(1)} %`;
}
