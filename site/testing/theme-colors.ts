import { readFileSync } from 'node:fs';
import { cssRules } from './style-rules.ts';

/** The color of every token by its name without dashes, as `#rrggbb` or `#rrggbbaa`. */
export type ThemeColors = Record<string, string>;

/**
 * The colors of each theme of `site/platform/ui/css/tokens.css`, and of each as people get it who ask their system for more
 * contrast (`dark, more contrast`).
 */
export function themeColors(css: string = tokens()): Record<string, ThemeColors> {
  const rules = cssRules(css);
  const lines = rules.find(({ selector }) => selector === ':root, [data-theme]')!.declarations;
  const stronger = rules.find(({ declarations }) => declarations['--line'] === 'var(--edge)')!.declarations;
  return Object.fromEntries(
    rules.flatMap(({ selector, declarations }) => {
      const theme = /\[data-theme="(\w+)"\]$/.exec(selector)?.[1];
      if (!theme) return [];
      const own = colorsOf(declarations);
      const colors = { ...own, ...referred(lines, own) };
      return [
        [theme, colors],
        [`${theme}, more contrast`, { ...colors, ...referred(stronger, own) }],
      ];
    }),
  );
}

/** The colors of declarations such as `--line: var(--edge)`. */
const referred = (declarations: Record<string, string>, colors: ThemeColors): ThemeColors =>
  Object.fromEntries(
    Object.entries(declarations).map(([name, value]) => [
      name.slice(2),
      colors[/^var\(--([\w-]+)\)$/.exec(value)![1]!]!,
    ]),
  );

const tokens = () => readFileSync(new URL('../platform/ui/css/tokens.css', import.meta.url), 'utf8');

const colorsOf = (declarations: Record<string, string>): ThemeColors =>
  Object.fromEntries(
    Object.entries(declarations)
      .filter(([, value]) => /^#[0-9a-f]{6,8}$/.test(value))
      .map(([name, value]) => [name.slice(2), value]),
  );

/** The contrast of two colors, 1 to 21. Source: WCAG 2.2 (contrast ratio, relative luminance). */
export function contrast(one: string, other: string): number {
  const [brighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (brighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
