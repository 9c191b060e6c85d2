interface Limits {
  readonly [figure: string]: number;
}

export function findRaisedLimits(limits: Limits, base: Limits, granted?: Limits): readonly string[];
