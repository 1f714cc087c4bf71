import { atom } from 'nanostores';
import { cookieIn, setCookie } from './cookie-text.ts';
import {
  type Cosmetics,
  cosmeticsCookie,
  type DisplayMode,
  type DisplayType,
  parseCosmetics,
} from './cosmetics.ts';

const stored = (): Cosmetics => parseCosmetics(cookieIn(globalThis.document?.cookie ?? '', 'cosmetics'));

/** The preferences of this browser, the defaults on the server. Change them with `prefer`. */
export const $cosmetics = atom<Cosmetics>(stored());

/**
 * Stores `change` in the cookie and applies it at once (`ui/scripts/first.js` listens). Keeps changes from other tabs.
 */
export function prefer(change: Partial<Cosmetics>): void {
  const next = { ...stored(), ...change };
  setCookie(cosmeticsCookie(next));
  dispatchEvent(new Event('cosmetics'));
  $cosmetics.set(next);
}

/** `prefer` for the layout of one type of list. */
export const preferDisplay = (type: DisplayType, mode: DisplayMode): void =>
  prefer({ searchDisplayMode: { ...stored().searchDisplayMode, [type]: mode } });
