import { cookieIn, persistentCookie, setCookie } from '../cosmetics/cookie-text.ts';

/** Purposes beyond what is needed. Each is off until the visitor turns it on. */
export const optionalPurposes = ['analytics'] as const;
export type OptionalPurpose = (typeof optionalPurposes)[number];

const name = 'consent';
const year_s = 365 * 86_400;
const nothing = 'none';

/** The purposes that a `consent` cookie allows; null when nothing was chosen yet. Unknown ones are dropped. */
export function parseConsent(text: string | null): OptionalPurpose[] | null {
  if (!text) return null;
  const given = text.split('+');
  return optionalPurposes.filter((purpose) => given.includes(purpose));
}

/** The cookie that stores which purposes are allowed, for a year. */
export const consentCookie = (allowed: readonly OptionalPurpose[]): string =>
  persistentCookie(name, allowed.join('+') || nothing, 'lax', year_s);

/** The signals of a browser that mean no to everything optional. */
interface Signals {
  globalPrivacyControl?: boolean;
  doNotTrack?: string | null;
}

/** Whether the browser sends Global Privacy Control or Do Not Track. */
export const objects = ({ globalPrivacyControl, doNotTrack }: Signals): boolean =>
  globalPrivacyControl === true || doNotTrack === '1';

/** What this browser allows: the choice of the visitor, nothing before it, and nothing when the browser objects. */
export const allowedPurposes = (cookies: string, signals: Signals): OptionalPurpose[] =>
  objects(signals) ? [] : (parseConsent(cookieIn(cookies, name)) ?? []);

/**
 * Whether the visitor allowed `purpose`. Every script asks it before it stores or sends anything optional.
 */
export const hasConsent = (purpose: OptionalPurpose): boolean =>
  allowedPurposes(document.cookie, navigator as Signals).includes(purpose);

/** Whether the visitor chose already. */
export const hasChosen = (): boolean => cookieIn(document.cookie, name) !== null;

/** Stores the choice, at once valid for every script. */
export const chooseConsent = (allowed: readonly OptionalPurpose[]): void => setCookie(consentCookie(allowed));
