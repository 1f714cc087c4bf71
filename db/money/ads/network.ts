import type { Db } from '../../platform/postgres/sql.ts';
import type { AdPlace } from './rules.ts';

/** An ad as pages show it. Texts are plain. */
export interface Ad {
  /** Names it in counts of impressions. */
  id: string;
  title: string;
  text: string;
  /** An https address, or a path of this site. */
  link: string;
  picture: { path: string; width: number; height: number; alt: string } | null;
}

/** A file that the site serves for its ads, so that browsers ask nobody else. */
export interface AdFile {
  type: string;
  bytes: Buffer;
}

/** What a day brought. */
export interface AdReport {
  /** US cents. */
  amount_minor: number;
  impressions: number;
  /** What a limit left out of the amount, in US cents; 0 if left out. */
  over_minor?: number;
}

/**
 * Whoever fills the places for ads: the operator, or a company. An adapter of a company asks it from here and serves its
 * pictures as `files`: pages load nothing from elsewhere, and tell nobody who looks at them.
 */
export interface AdNetwork {
  /** Names its days in the entries of income, in small letters. */
  name: string;
  /** The ad for a place of the page with this path, null when there is none. Called while a page is made: never waits. */
  adFor(place: AdPlace, page: string, at: Date): Ad | null;
  /** Whether there is an ad with this id. */
  has(id: string): boolean;
  /** By path. */
  files: ReadonlyMap<string, AdFile>;
  /** Income and impressions of a day in UTC that is over; null when it earned nothing. */
  reportOf(db: Db, day: string): Promise<AdReport | null>;
}
