import { hash, verify } from '@node-rs/argon2';
import type { RefusalCode } from '../errors.ts';
import { aside } from '../runtime/aside.ts';
import type { estimate, PasswordEstimate } from './password-strength.ts';
import { whyNotPasswordLength } from './rules.ts';

/** How hard a password is to guess. */
export interface PasswordRating {
  /** From 0 to 4, by zxcvbn. */
  score: number;
  /** Why it is refused, or null. */
  refusal: RefusalCode | null;
  /** What makes it easy to guess, as zxcvbn names it, or null. */
  warning: string | null;
}

const estimateAside = aside<Parameters<typeof estimate>[0], PasswordEstimate>({
  module: new URL('./password-strength.ts', import.meta.url),
  name: 'estimate',
  limit_ms: 10_000,
});

/** The longest part of a password and of each word that the estimate is given. */
const max_characters = 1024;

/**
 * Rates a new password. Refused are those of fewer than 8 or more than 256 characters, those in the bundled list of the
 * 49,000 most frequent leaked ones, and those with a score below 3, which the user's own names and the words of this
 * product lower. Up to 100 ms of work, done aside. Refuses as `aside` does. Source: api-v3 §4 (POST create).
 */
export async function ratePassword(
  password: string,
  own_words: readonly string[] = [],
): Promise<PasswordRating> {
  const { score, breached, warning } = await estimateAside({
    password: password.slice(0, max_characters),
    own_words: own_words.map((word) => word.slice(0, max_characters)),
  });
  const weak: RefusalCode | null = breached ? 'password_breached' : score < 3 ? 'password_weak' : null;
  return { score, refusal: whyNotPasswordLength(password) ?? weak, warning };
}

/** Why `password` is refused, or null: `password_length`, `password_breached`, `password_weak`. See `ratePassword`. */
export const whyNotPassword = async (
  password: string,
  own_words: readonly string[] = [],
): Promise<RefusalCode | null> =>
  whyNotPasswordLength(password) ?? (await ratePassword(password, own_words)).refusal;

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
