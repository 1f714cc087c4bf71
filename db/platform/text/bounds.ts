import type { Root } from 'hast';

/** Maximum text length (api-v2: body and changelog). */
const max_source = 65_536;
const max_depth = 100;

/** A hundred list or quote markers in a row; a horizontal rule of one repeated character does not count. */
const tooManyMarkers = /^(?!-{101}|\*{101}|\+{101}|\.{101}|\d{101})[ \t>*+\-\d.)]{101}/m;

/** First limit, before parsing: why `source` is not parsed at all, or null. Source: stack §9 (a). */
export function whyNotParsed(source: string): 'too_long' | 'too_deep' | null {
  if (source.length > max_source) return 'too_long';
  return tooManyMarkers.test(source) ? 'too_deep' : null;
}

/** Runs of markup delimiters; parsing time may grow with their square. */
const markup = /[*_~`[\]|<!]+/g;
const max_markup_runs = 20_000;

/**
 * Why an account may not save `source`, or null: this much markup is not prose, and each attempt would cost seconds of
 * a thread. A real text of the maximum length has a few thousand runs.
 */
export function whyNotSaved(source: string): 'body_too_complex' | null {
  let runs = 0;
  for (const _ of source.matchAll(markup)) if (++runs > max_markup_runs) return 'body_too_complex';
  return null;
}

/** Void elements, and those that close when the next one begins. */
const shallow = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd tr td th tbody option'.split(
    ' ',
  ),
);

/**
 * Second limit, before raw HTML is parsed: whether elements and open tags in raw parts nest deeper than 100.
 * Iterative, because recursion is what it protects. What it misses overflows the small stack of the worker, which is
 * caught.
 * Source: stack §9 (b).
 */
export function isTooDeep(root: Root): boolean {
  const open = new Map<string, number>();
  let tags = 0;
  const todo: Array<{ node: Root | Root['children'][number]; depth: number }> = [{ node: root, depth: 0 }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { node, depth } = next;
    if (depth + tags > max_depth) return true;
    if (node.type === 'raw') {
      for (const [, slash, name] of node.value.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
        const tag = name!.toLowerCase();
        if (shallow.has(tag)) continue;
        const count = open.get(tag) ?? 0;
        if (slash && count === 0) continue;
        open.set(tag, count + (slash ? -1 : 1));
        tags += slash ? -1 : 1;
        if (depth + tags > max_depth) return true;
      }
    } else if ('children' in node) {
      for (const child of [...node.children].reverse()) todo.push({ node: child, depth: depth + 1 });
    }
  }
  return false;
}
