import { hash, verify } from '@node-rs/argon2';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import type { RefusalCode } from '../errors.ts';
import { whyNotPasswordLength } from './rules.ts';

let meter: ZxcvbnFactory | undefined;

/** Enough characters for the best score; the cost of the estimate grows faster than the length. */
const judged = 64;

/**
 * Why `password` is refused, or null: 8 to 256 characters, zxcvbn score 3 or more, not built from the user's own
 * names. Source: api-v3 §4 (POST create).
 */
export function whyNotPassword(password: string, own_words: string[] = []): RefusalCode | null {
  const length = whyNotPasswordLength(password);
  if (length) return length;
  meter ??= new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  return meter.check(password.slice(0, judged), own_words).score >= 3 ? null : 'password_weak';
}

/** Hashes with argon2id and the package's defaults (19 MiB, two passes); gives the PHC string to store. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let decoy: Promise<string> | undefined;

/** Whether `password` matches `stored`. Without a stored hash it takes the same time and gives false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('no account has this one');
  const is_correct = await verify(stored ?? (await decoy), password);
  return stored !== null && is_correct;
}
