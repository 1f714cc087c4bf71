/**
 * Strongly connected components of two nodes or more (Tarjan): groups of nodes that reach each other. `next` gives the
 * successors of a node.
 */
export function cycles(nodes: readonly string[], next: (node: string) => Iterable<string>): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    let low = order.get(node)!;
    stack.push(node);
    for (const to of next(node)) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (stack.includes(to)) low = Math.min(low, order.get(to)!);
    }
    if (low === order.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1) found.push(group.sort());
    }
    return low;
  };
  for (const node of nodes) if (!order.has(node)) visit(node);
  return found;
}
