import { expect, it } from 'vitest';
import { type StyleRule, styleRules } from '../../testing/style-rules.ts';
import { contrast, themeColors } from '../../testing/theme-colors.ts';

/**
 * Contrast by arithmetic: what each color is for, which pairs follow from that, and that the style sheets keep to it.
 * Browsers measure it in place too, but each page in one theme only. Source: looks §3; WCAG 2.2 §1.4.3,
 * §1.4.11.
 */
const texts = ['ink', 'ink-2', 'ink-3', 'accent-ink', 'good', 'warn', 'bad', 'note'];
/** Whatever is written may lie on each of them. */
const backgrounds = [
  ...['bg', 'surface', 'raised', 'sunken', 'field', 'hover'],
  ...['accent-wash', 'good-wash', 'warn-wash', 'bad-wash', 'note-wash'],
];
/** What is written on a ground that takes nothing else. */
const fills: Record<string, readonly string[]> = {
  accent: ['on-accent'], // the first button, checked boxes
  'accent-hover': ['on-accent'],
  'bad-fill': ['on-bad'],
  ink: ['bg'], // tooltips
  select: ['ink'], // selected and found text
  fill: ['ink', 'ink-2', 'bad'], // menu rows, chips and badges below the pointer
  'fill-2': ['ink'], // letters in place of a picture
};
/** Shapes that mean something: lines of boxes, icons, rings around the focus. */
const shapes = ['mark', 'edge', 'focus'];
/** Lines and bars; they never lie on a wash. */
const charts = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
const chart_backgrounds = ['bg', 'surface', 'raised', 'sunken', 'field'];
/** Hairlines and veils: what they divide is known without them. */
const ornaments = ['line', 'line-2', 'scrim'];

/** Icons and meters in the color of a shape. A rule that is not named here would color text with less than 4.5. */
const in_shape_colors = [
  '.cells .i',
  '.stats .i',
  '.pic.none',
  '.head > .relief', // contours behind the name of a project
  '.meter', // its number stands beside it
  '.meter.go',
  '.meter:indeterminate',
];
/** Rules that fill a shape without text, or whose text has its color from another rule. */
const unwritten = [
  '.cells', // lines between the cells
  '.ghost', // the shape of what is still loading
  ':is(.sheet, .drawn) > header::before',
  'dialog::backdrop',
  '.search .filters::backdrop',
  '.btn.primary:hover', // .btn.primary
  // the marks of chosen boxes
  '.toggle:checked',
  '.check input:not(.toggle):checked, .pick input:checked',
  '.language[aria-checked="true"] .mark',
  '.where a[aria-current] .radio',
  // the sample of a theme
  '.themes .look .name',
  '.themes .look .accent',
];

const pairs = [
  ...every(texts, backgrounds, 4.5),
  ...Object.entries(fills).flatMap(([fill, on]) => every(on, [fill], 4.5)),
  ...every(shapes, backgrounds, 3),
  ...every(charts, chart_backgrounds, 3),
];
function every(colors: readonly string[], on: readonly string[], least: number) {
  return on.flatMap((ground) => colors.map((color) => ({ color, ground, least })));
}

const themes = themeColors();
const known = new Set([...pairs.flatMap(({ color, ground }) => [color, ground]), ...ornaments]);

it.each(Object.entries(themes))('every pair of colors is readable: %s', (_, colors) => {
  const weak = pairs
    .map(({ color, ground, least }) => ({
      color,
      ground,
      least,
      is: contrast(colors[color]!, colors[ground]!),
    }))
    .filter(({ is, least }) => is < least)
    .map(({ color, ground, least, is }) => `${color} on ${ground}: ${is.toFixed(2)}, at least ${least}`);
  expect(weak).toEqual([]);
});

it('every color of every theme has a role', () => {
  expect(Object.keys(themes)).toHaveLength(8);
  for (const [theme, colors] of Object.entries(themes))
    expect(new Set(Object.keys(colors)), theme).toEqual(known);
});

/** The tokens of a value that are colors. */
const tokensIn = (value: string | undefined) =>
  [...(value ?? '').matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name!).filter((name) => known.has(name));

const behindOf = (declarations: Record<string, string>) =>
  tokensIn(declarations.background ?? declarations['background-color']);

/** What is wrong with the colors of a rule, by the roles. */
function trouble({ selector, declarations }: StyleRule): string[] {
  const behind = behindOf(declarations);
  return tokensIn(declarations.color).flatMap((color) => {
    if (in_shape_colors.includes(selector)) return [];
    const isOwn = behind.length > 0 && behind.every((ground) => fills[ground]?.includes(color));
    const isFree = texts.includes(color) && behind.every((color) => backgrounds.includes(color));
    return isOwn || isFree ? [] : [`${color} on ${behind.join(', ') || 'any ground'}`];
  });
}

/** The backgrounds of a rule that not every text may lie on, where it names no color: text of its parent may stand there. */
function unsure({ selector, declarations }: StyleRule): string[] {
  if (declarations.color || unwritten.includes(selector)) return [];
  const narrow = [...ornaments, ...Object.keys(fills).filter((fill) => !fill.startsWith('fill'))];
  return behindOf(declarations)
    .filter((name) => narrow.includes(name))
    .map((name) => `any text on ${name}`);
}

it('every rule uses colors by their roles', () => {
  const rules = styleRules();
  const wrong = rules.flatMap((rule) =>
    [...trouble(rule), ...unsure(rule)].map((what) => `${rule.file} ${rule.selector}: ${what}`),
  );
  expect(wrong).toEqual([]);
  const selectors = new Set(rules.map(({ selector }) => selector));
  const exceptions = [...in_shape_colors, ...unwritten];
  expect(exceptions.filter((selector) => !selectors.has(selector))).toEqual([]);
});
