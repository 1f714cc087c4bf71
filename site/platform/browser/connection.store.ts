import { atom } from 'nanostores';

/** Connection problems between this page and the site, worst first. */
const outages = ['offline', 'down', 'limited', 'incomplete'] as const;
export type Outage = (typeof outages)[number];

/** The current problem; null without one. Source: specification §8 (banners). */
export const $outage = atom<Outage | null>(null);

/** The part of an API response that informs about the connection. */
export interface ResponseInfo {
  /** HTTP status; 0 without an answer. */
  status: number;
  /** Seconds from Retry-After. */
  retry_after_s: number | null;
}

/** Whether the banner says why a request got this HTTP status (0 without an answer). Nothing else says it again. */
export function isSaid(status: number): boolean {
  const outage = $outage.get();
  return status === 429 ? outage === 'limited' : status === 0 && (outage === 'offline' || outage === 'down');
}

/** The newest such response; `scripts/connection.ts` interprets it. */
export const $lastResponse = atom<ResponseInfo | null>(null);

/** Whether a response is a reason to check the health of the site. */
export const isSuspicious = ({ status }: ResponseInfo): boolean =>
  status === 0 || status === 502 || status === 503 || status === 504;

/** The outage for the `missing` list of `/readyz` or `/builds/latest.json`: without the database nothing works. */
export const outageOf = (missing: readonly string[]): Outage | null => {
  if (missing.length === 0) return null;
  return missing.some((part) => part === 'database' || part === 'migrated') ? 'down' : 'incomplete';
};
