/** The field by which Anthropic's API ends a cached prefix. It takes few in a request, and none on a deferred tool. */
export const CACHE_MARK = "cache_control";

/** Leaves the mark of a cached prefix on the last entry alone that has one, or on none. */
export function keepLastMark<Entry extends object>(list: readonly Entry[], mayKeep = true): Entry[] {
  const last = mayKeep ? list.findLast((entry) => CACHE_MARK in entry) : undefined;
  return list.map((entry) => {
    if (entry === last || !(CACHE_MARK in entry)) return entry;
    const { [CACHE_MARK]: _mark, ...rest } = entry;
    return rest as Entry;
  });
}
