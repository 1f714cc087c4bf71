import { disc, mix, rect } from './draw.ts';
import type { Palette } from './palettes.ts';

/** SVG definitions (gradients) and the shapes that use them, on a 640 by 360 canvas. */
export type Scene = [definitions: string, drawing: string];
export const width = 640;
export const height = 360;

/** The lightest tone, mixed with white. */
export const pale = (p: Palette, t: number): string => mix(p[4], '#ffffff', t);

/** A linear gradient from top to bottom through `colours`. */
export const downwards = (id: string, colours: readonly string[]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${colours
    .map((colour, at) => `<stop offset="${at / (colours.length - 1)}" stop-color="${colour}"/>`)
    .join('')}</linearGradient>`;

/** A glow that fades outwards, in `colour` with this opacity. */
export const glow = (id: string, colour: string, strength = 0.95): string =>
  `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset=".3" stop-color="${colour}" stop-opacity="${strength / 2}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;

/** The gradient of the sky, by day or night. */
export const sky = (p: Palette, night: boolean): string =>
  downwards('s', night ? [p[0], mix(p[0], p[1], 0.7), p[2]] : [mix(p[3], p[4], 0.35), p[4], pale(p, 0.35)]);

/** The sky of the whole image with a sun or moon and its glow (the caller defines `s` and `g`). */
export const heaven = (p: Palette, night: boolean, x: number, y: number): string =>
  rect(0, 0, width, height, 'url(#s)') +
  disc(x, y, 190, 'url(#g)') +
  disc(x, y, 26, night ? p[4] : pale(p, 0.7));
