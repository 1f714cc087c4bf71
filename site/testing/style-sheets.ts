import { readFileSync } from 'node:fs';

/** A rule that shows or hides what its selector matches. */
export interface VisibilityRule {
  selector: string;
  /** A class, id, attribute or tag without which the selector can't match; `*` when there is none. */
  key: string;
  property: 'display' | 'visibility';
  value: string;
  /** What wins over what: by importance, specificity, then order. */
  weight: readonly number[];
}

/** A desktop without scripts, in the dark. */
const width_rem = 80;
const features: Record<string, string> = {
  'forced-colors': 'none',
  hover: 'hover',
  pointer: 'fine',
  'prefers-color-scheme': 'dark',
  'prefers-contrast': 'no-preference',
  'prefers-reduced-motion': 'no-preference',
  scripting: 'none',
};
const sheets = new Map<string, VisibilityRule[]>();

/** The rules of a built style sheet, by its address, as far as they apply here. */
export function visibilityRules(href: string): VisibilityRule[] {
  let rules = sheets.get(href);
  if (!rules) {
    const text = readFileSync(
      new URL(`../../dist/client${href.split(/[?#]/, 1)[0]}`, import.meta.url),
      'utf8',
    );
    rules = rulesOf(text);
    sheets.set(href, rules);
  }
  return rules;
}

/** The rules of a text. */
function rulesOf(css: string, parent: string | null = null): VisibilityRule[] {
  const found: VisibilityRule[] = [];
  for (const { prelude, block } of blocksOf(css.replace(/\/\*[\s\S]*?\*\//g, ''))) {
    const at = /^@([\w-]+)\s*(.*)$/s.exec(prelude);
    if (!at) found.push(...ofStyle(parent ? nested(prelude, parent) : prelude, block));
    else if (at[1] === 'supports' || at[1] === 'layer' || (at[1] === 'media' && applies(at[2]!)))
      found.push(...rulesOf(block, parent));
  }
  return found.map((rule, order) => ({ ...rule, weight: [...rule.weight.slice(0, 4), order] }));
}

const nested = (selector: string, parent: string): string =>
  selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;

function ofStyle(selectors: string, block: string): VisibilityRule[] {
  const inner = blocksOf(block);
  const own = inner.reduce((rest, one) => rest.replace(`${one.prelude}{${one.block}}`, ''), block);
  const declared = own.matchAll(/(?:^|;)\s*(display|visibility)\s*:\s*([\w-]+)\s*(!\s*important)?/g);
  const rules = [...declared].flatMap(([, property, value, important]) =>
    split(selectors).map((selector) => ({
      ...{ selector, key: keyOf(selector), value: value! },
      property: property as VisibilityRule['property'],
      weight: [important ? 1 : 0, ...specificity(selector)],
    })),
  );
  return [...rules, ...inner.flatMap((one) => rulesOf(`${one.prelude}{${one.block}}`, selectors))];
}

/** The blocks of a text, without what stands between them. */
function blocksOf(css: string): Array<{ prelude: string; block: string }> {
  const blocks: Array<{ prelude: string; block: string }> = [];
  let [depth, start, open] = [0, 0, 0];
  for (let at = 0; at < css.length; at++) {
    const sign = css[at];
    if (sign === '"' || sign === "'") at = css.indexOf(sign, at + 1);
    else if (sign === '{') {
      if (depth++ === 0) open = at;
    } else if (sign === '}') {
      if (--depth > 0) continue;
      blocks.push({ prelude: css.slice(start, open).trim(), block: css.slice(open + 1, at) });
      start = at + 1;
    } else if (sign === ';' && depth === 0) start = at + 1;
  }
  return blocks;
}

/** The parts of a list, at commas outside parentheses. */
function split(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of list) {
    if (sign === '(' || sign === '[') depth++;
    if (sign === ')' || sign === ']') depth--;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

/** How many ids, classes and tags: `:is`, `:not` and `:has` count as their strongest argument, `:where` as nothing. */
function specificity(selector: string): [number, number, number] {
  let rest = selector;
  const sum: [number, number, number] = [0, 0, 0];
  const add = (other: readonly number[]) => {
    for (const place of [0, 1, 2] as const) sum[place] += other[place]!;
  };
  for (let found = /:([\w-]+)\(([^()]*)\)/.exec(rest); found; found = /:([\w-]+)\(([^()]*)\)/.exec(rest)) {
    rest = rest.replace(found[0], '');
    const [, name, inner] = found;
    if (name === 'is' || name === 'not' || name === 'has')
      add(split(inner!).map(specificity).sort(compare).at(-1)!);
    else if (name !== 'where') add([0, 1, 0]);
  }
  add([
    rest.match(/#[\w-]+/g)?.length ?? 0,
    rest.match(/\.[\w-]+|\[[^\]]*\]|(?<!:):[\w-]+/g)?.length ?? 0,
    rest.match(/(?<![\w.#:[-])[a-z][\w-]*(?![^[]*\])/gi)?.length ?? 0,
  ]);
  return sum;
}

/** Less than 0 when the first is weaker. */
export function compare(one: readonly number[], other: readonly number[]): number {
  for (const [place, value] of one.entries()) if (value !== other[place]) return value - (other[place] ?? 0);
  return 0;
}

/** Of the last part of a selector. */
function keyOf(selector: string): string {
  let outside = selector;
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replace(/:[\w-]+\([^()]*\)/g, ':x');
  }
  const last = outside.split(/[\s>+~]+/).at(-1)!;
  const [found] =
    /\.[\w-]+/.exec(last) ??
    /#[\w-]+/.exec(last) ??
    /\[[\w-]+/.exec(last) ??
    /^[a-z][\w-]*/i.exec(last) ??
    [];
  return found?.toLowerCase() ?? '*';
}

function applies(query: string): boolean {
  return split(query).some((part) => {
    const is_negated = /^not\b/.test(part);
    const [, medium = 'all'] = /^(?:not\s+|only\s+)?([a-z]+)\b/.exec(part) ?? [];
    const media_fits = medium === 'all' || medium === 'screen' || part.startsWith('(');
    const conditions = part.match(/\([^()]*\)/g) ?? [];
    return (media_fits && conditions.every(holds)) !== is_negated;
  });
}

const rem = (length: string): number => Number.parseFloat(length) / (length.trim().endsWith('px') ? 16 : 1);

function holds(condition: string): boolean {
  const text = condition.slice(1, -1).trim();
  const [, bound, limit] = /^(min|max)-width\s*:\s*(.+)$/.exec(text) ?? [];
  if (bound) return bound === 'min' ? width_rem >= rem(limit!) : width_rem <= rem(limit!);
  const [, sign, length] = /^width\s*([<>]=?)\s*(.+)$/.exec(text) ?? [];
  if (sign) return sign.startsWith('<') ? width_rem < rem(length!) + 0.001 : width_rem > rem(length!) - 0.001;
  const [name, value] = text.split(/\s*:\s*/);
  const is = features[name!];
  return value === undefined ? is !== undefined && is !== 'none' : is === value;
}
