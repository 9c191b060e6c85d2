import type { Binder } from "./binder.js";
import { PART_OF_LOOP, resolveDiagnostics } from "./diagnostics.js";
import type { Place } from "./types.js";

/** Reports `$ref`s and `allOf`s that lead back to their own place without stepping into a property or an item. */
export function createLoopCheck(binder: Binder): (start: Place) => void {
  const finished = new Set<Place>();
  return (start) => {
    if (binder.conjuncts(binder.open(start)).length === 0 || finished.has(start)) return;
    // An explicit stack: a chain of references may be longer than the call stack is deep.
    const path: { readonly place: Place; readonly inner: readonly Place[]; next: number }[] = [];
    const onPath = new Set<Place>();
    const enter = (place: Place): void => {
      onPath.add(place);
      path.push({ place, inner: binder.conjuncts(binder.open(place)), next: 0 });
    };
    enter(start);
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const inner = frame.inner[frame.next++];
      if (inner === undefined) {
        finished.add(frame.place);
        onPath.delete(frame.place);
        path.pop();
      } else if (onPath.has(inner)) {
        const loop = path
          .slice(path.findIndex(({ place }) => place === inner))
          .map(({ place }) => ({ origin: binder.origin(place), message: PART_OF_LOOP }));
        binder.report(resolveDiagnostics("reference-loop", binder.origin(inner), undefined, { related: loop }));
      } else if (!finished.has(inner)) {
        enter(inner);
      }
    }
  };
}
