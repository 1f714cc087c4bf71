import { cookieIn, persistentCookie, setCookie } from './cookie-text.ts';

/** The theme preference: one theme, or that of the system. Source: specification §4 (Theme preference). */
const colorModes = ['system', 'light', 'dark', 'oled', 'retro'] as const;
export type ColorMode = (typeof colorModes)[number];

/** The mode in the value of a `color-mode` cookie; `system` for anything unknown. */
export const parseColorMode = (text: string | null | undefined): ColorMode =>
  colorModes.find((mode) => mode === text) ?? 'system';

/** The mode stored in this browser. */
export const colorMode = (): ColorMode => parseColorMode(cookieIn(document.cookie, 'color-mode'));

/** Stores `mode` and applies it at once (`ui/scripts/first.js` listens). Source: specification §9 (Cookies). */
export function chooseColorMode(mode: ColorMode): void {
  setCookie(persistentCookie('color-mode', mode, 'lax'));
  dispatchEvent(new Event('cosmetics'));
}
