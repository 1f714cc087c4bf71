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

/** The preferences of this browser, the defaults on the server. Change them with `prefer`; reading follows. */
export const $cosmetics = atom<Cosmetics>(stored());

/** Keeps `change` in the cookie and shows it at once (`ui/scripts/first.js` hears of it). What another tab changed meanwhile stays. */
export function prefer(change: Partial<Cosmetics>): void {
  const next = { ...stored(), ...change };
  setCookie(cosmeticsCookie(next));
  dispatchEvent(new Event('cosmetics'));
  $cosmetics.set(next);
}

/** `prefer` for the layout of one kind of list. */
export const preferDisplay = (type: DisplayType, mode: DisplayMode): void =>
  prefer({ searchDisplayMode: { ...stored().searchDisplayMode, [type]: mode } });
