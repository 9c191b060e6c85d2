/** Finds the circles of a graph: its largest groups of nodes that all lead to each other. */
export function findCircles(nodes, next) {
  const order = [];
  const reversed = new Map();
  const seen = new Set();
  const visit = (node) => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const each of next(node)) {
      reversed.set(each, (reversed.get(each) ?? new Set()).add(node));
      visit(each);
    }
    order.push(node);
  };
  for (const node of nodes) visit(node);
  const placed = new Set();
  const collect = (node) => {
    if (placed.has(node)) return [];
    placed.add(node);
    return [node, ...[...(reversed.get(node) ?? [])].flatMap(collect)];
  };
  return order
    .toReversed()
    .map(collect)
    .filter(({ length }) => length > 1);
}

/** Finds the fewest arrows, as a greedy search does, without which a graph has no circles. */
export function findArrowsBackUp(weights) {
  const arrows = new Map([...weights].toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)));
  const endsOf = (arrow) => arrow.split(" → ");
  const found = [];
  for (;;) {
    const pairs = [...arrows.keys()].map(endsOf);
    const circles = findCircles(new Set(pairs.flat()), (node) =>
      pairs.filter(([from]) => from === node).map(([, to]) => to),
    );
    if (circles.length === 0) return found;
    for (const circle of circles) {
      const lightest = [...arrows.keys()].find((arrow) => endsOf(arrow).every((end) => circle.includes(end)));
      arrows.delete(lightest);
      found.push(lightest);
    }
  }
}
