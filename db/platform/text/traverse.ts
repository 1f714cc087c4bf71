import type { Element, ElementContent, Root } from 'hast';

/** Every element of a tree, parents first, without recursion: user text may be nested deeply. */
export function* elements(root: Root): Generator<{ element: Element; parent: Element | Root }> {
  const open: Array<Element | Root> = [root];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    for (const child of [...parent.children]) {
      if (child.type !== 'element') continue;
      yield { element: child, parent };
      open.push(child);
    }
  }
}

/** The text inside `node`, at most `limit` characters. */
export function textOf(node: Element | Root, limit: number): string {
  let text = '';
  const open: Array<ElementContent | Root['children'][number]> = [...node.children].reverse();
  for (let next = open.pop(); next && text.length < limit; next = open.pop()) {
    if (next.type === 'text') text += next.value;
    else if (next.type === 'element') open.push(...[...next.children].reverse());
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, limit);
}
