import { hash, verify } from '@node-rs/argon2';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import type { RefusalCode } from '../errors.ts';
import { whyNotPasswordLength } from './rules.ts';

let meter: ZxcvbnFactory | undefined;

/** Enough to reach the best score; the estimate's cost grows faster than the text. */
const judged = 64;

/**
 * Why `password` cannot be chosen, or null: 8 to 256 characters, zxcvbn score 3 or more, not made of the person's own
 * names. Source: api-v3 §4 (POST create).
 */
export function whyNotPassword(password: string, own_words: string[] = []): RefusalCode | null {
  const length = whyNotPasswordLength(password);
  if (length) return length;
  meter ??= new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  return meter.check(password.slice(0, judged), own_words).score >= 3 ? null : 'password_weak';
}

/** argon2id with the package's defaults (19 MiB, two passes), as the PHC string that is stored. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let decoy: Promise<string> | undefined;

/** Whether `password` belongs to `stored`. Without a stored hash it takes as long and answers false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('no account has this one');
  const is_correct = await verify(stored ?? (await decoy), password);
  return stored !== null && is_correct;
}
