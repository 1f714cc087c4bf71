import { hash, verify } from '@node-rs/argon2';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import type { RefusalCode } from '../errors.ts';
import { whyNotPasswordLength } from './rules.ts';

let meter: ZxcvbnFactory | undefined;
let breached: ReadonlySet<string> | undefined;

/** Enough characters for the best score; the cost of the estimate grows faster than the length. */
const judged = 64;

/** Words of this product that count as known to whoever guesses. Documented in site/account/SECURITY.md. */
const context_words = ['cairn', 'modpack', 'resourcepack', 'datapack', 'shader', 'launcher', 'gameserver'];

/** How hard a password is to guess. */
export interface PasswordRating {
  /** From 0 to 4, by zxcvbn. */
  score: number;
  /** Why it is refused, or null. */
  refusal: RefusalCode | null;
  /** What makes it easy to guess, as zxcvbn names it, or null. */
  warning: string | null;
}

/**
 * Rates a new password. Refused are those of fewer than 8 or more than 256 characters, those in the bundled list of the
 * 49,000 most frequent leaked ones, and those with a score below 3, which the user's own names and the words of this
 * product lower. Takes up to 100 ms. Source: api-v3 §4 (POST create).
 */
export function ratePassword(password: string, own_words: string[] = []): PasswordRating {
  meter ??= new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  breached ??= new Set(common.dictionary['passwords-common'] as Iterable<string>);
  const { score, feedback } = meter.check(password.slice(0, judged), [...context_words, ...own_words]);
  const isBreached = breached.has(password.toLowerCase());
  const refusal =
    whyNotPasswordLength(password) ?? (isBreached ? 'password_breached' : score < 3 ? 'password_weak' : null);
  return { score, refusal, warning: feedback.warning };
}

/** Why `password` is refused, or null: `password_length`, `password_breached`, `password_weak`. See `ratePassword`. */
export const whyNotPassword = (password: string, own_words: string[] = []): RefusalCode | null =>
  whyNotPasswordLength(password) ?? ratePassword(password, own_words).refusal;

/**
 * The cost of a guess: 19 MiB, the least that OWASP recommends, and six passes, which take about 17 ms of a core of 2026. More
 * memory would let a few sign-ins at once fill a small machine.
 */
const cost = { memoryCost: 19 * 1024, timeCost: 6, parallelism: 1 } as const;

/** Hashes with argon2id; gives the PHC string to store, which names its cost. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

let decoy: Promise<string> | undefined;

/** Whether `password` matches `stored`. Without a stored hash it does the same work and gives false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this one');
  const is_correct = await verify(stored ?? (await decoy), password);
  return stored !== null && is_correct;
}
