import type { SchemaBinder } from "./binder.js";
import { PART_OF_LOOP, resolveDiagnostics } from "./diagnostics.js";
import type { SchemaNode } from "./types.js";

/** Reports `$ref`s and `allOf`s that lead back to their own schema without stepping into a property or an item. */
export function createLoopCheck(binder: SchemaBinder): (start: SchemaNode) => void {
  const finished = new Set<SchemaNode>();
  return (start) => {
    if (binder.conjuncts(binder.open(start)).length === 0 || finished.has(start)) return;
    // An explicit stack: a chain of references may exceed the call stack.
    const path: { readonly node: SchemaNode; readonly inner: readonly SchemaNode[]; next: number }[] = [];
    const onPath = new Set<SchemaNode>();
    const enter = (node: SchemaNode): void => {
      onPath.add(node);
      path.push({ node, inner: binder.conjuncts(binder.open(node)), next: 0 });
    };
    enter(start);
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const inner = frame.inner[frame.next++];
      if (inner === undefined) {
        finished.add(frame.node);
        onPath.delete(frame.node);
        path.pop();
      } else if (onPath.has(inner)) {
        const loop = path
          .slice(path.findIndex(({ node }) => node === inner))
          .map(({ node }) => ({ origin: binder.origin(node), message: PART_OF_LOOP }));
        binder.report(resolveDiagnostics("reference-loop", binder.origin(inner), undefined, { related: loop }));
      } else if (!finished.has(inner)) {
        enter(inner);
      }
    }
  };
}
