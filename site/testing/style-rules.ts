import { globSync, readFileSync } from 'node:fs';

/** A rule of a style sheet as it is written: the last of its selectors’ at-rules is left out. */
export interface StyleRule {
  file: string;
  selector: string;
  declarations: Record<string, string>;
}

const site = new URL('../', import.meta.url);

/**
 * The rules of the style sheets, of the styles of Astro components and of the themes of CodeMirror, as they are written
 * in `site/`. Source order; a rule inside another one stands before it.
 */
export function styleRules(): StyleRule[] {
  return globSync('**/*.{css,astro,ts}', { cwd: site.pathname })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, site), 'utf8');
      return rulesOf(file, text).map((rule) => ({ ...rule, file }));
    });
}

function rulesOf(file: string, text: string): Array<Omit<StyleRule, 'file'>> {
  if (file.endsWith('.css')) return cssRules(text);
  if (file.endsWith('.ts')) return scriptRules(text);
  return [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].flatMap(([, css]) => cssRules(css!));
}

/** The rules of a style sheet. */
export function cssRules(css: string): Array<Omit<StyleRule, 'file'>> {
  const open: Array<Omit<StyleRule, 'file'>> = [];
  const closed: Array<Omit<StyleRule, 'file'>> = [];
  // strings may have the signs that divide rules
  const parts = css.replace(/\/\*.*?\*\//gs, '').match(/(?:"[^"]*"|'[^']*'|[^{};"'])*[{};]/g) ?? [];
  for (const part of parts) {
    const text = part.slice(0, -1).replace(/\s+/g, ' ').trim();
    if (part.endsWith('{')) {
      open.push({ selector: text, declarations: {} });
      continue;
    }
    const [, name, value] = /^([\w-]+): ?(.*)$/s.exec(text) ?? [];
    if (name) open.at(-1)!.declarations[name] = value!;
    if (part.endsWith('}')) closed.push(open.pop()!);
  }
  return closed;
}

/** The colors of objects such as `'.cm-line': { color: 'var(--ink)' }`, or with a tag in place of the selector. */
function scriptRules(script: string): Array<Omit<StyleRule, 'file'>> {
  return [...script.matchAll(/(?:'([^'\n]+)': )?\{([^{}]*'var\(--[^{}]*)\}/g)].map(
    ([, selector, inside]) => ({
      selector: selector ?? inside!.split(', color')[0]!.trim(),
      declarations: Object.fromEntries(
        [...inside!.matchAll(/(\w+): '([^']*)'/g)].map(([, name, value]) => [
          name!.replace('backgroundColor', 'background'),
          value!,
        ]),
      ),
    }),
  );
}
