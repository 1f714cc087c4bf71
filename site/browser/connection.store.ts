import { atom } from 'nanostores';

/** What is wrong between this page and the site, worst first. */
const outages = ['offline', 'down', 'limited', 'incomplete'] as const;
export type Outage = (typeof outages)[number];

/** What is wrong right now; null when all is well. Source: specification §8 (banners). */
export const $outage = atom<Outage | null>(null);

/** An answer of the API that tells something about the connection. */
export interface ResponseInfo {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Seconds the site asked to wait. */
  retry_after_s: number | null;
}

/** The newest such answer; `scripts/connection.ts` finds out what it means. */
export const $lastResponse = atom<ResponseInfo | null>(null);

/** Whether an answer makes it worth asking how the site is. */
export const isSuspicious = ({ status }: ResponseInfo): boolean =>
  status === 0 || status === 502 || status === 503 || status === 504;

/** What `/readyz` or `/builds/latest.json` names as missing, as a trouble: without its record nothing works. */
export const outageOf = (missing: readonly string[]): Outage | null => {
  if (missing.length === 0) return null;
  return missing.some((part) => part === 'database' || part === 'migrated') ? 'down' : 'incomplete';
};
