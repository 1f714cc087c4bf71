import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';

/** The estimate itself: up to 100 ms of work over what anybody typed, so it runs aside (`password.ts`). */

let meter: ZxcvbnFactory | undefined;
let leaked: ReadonlySet<string> | undefined;

/** Enough characters for the best score; the cost of the estimate grows faster than the length. */
const judged = 64;

/** Words of this product that count as known to whoever guesses. Documented in site/accounts/sign-in/SECURITY.md. */
const context_words = ['cairn', 'modpack', 'resourcepack', 'datapack', 'shader', 'launcher', 'gameserver'];

/** What the estimate says of a password. */
export interface PasswordEstimate {
  /** From 0 to 4, by zxcvbn. */
  score: number;
  /** Whether it is in the bundled list of leaked passwords. */
  breached: boolean;
  /** What makes it easy to guess, as zxcvbn names it, or null. */
  warning: string | null;
}

/** Estimates a password against the bundled lists and `own_words`: see `ratePassword`. */
export function estimate({
  password,
  own_words,
}: {
  password: string;
  own_words: readonly string[];
}): PasswordEstimate {
  meter ??= new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  leaked ??= new Set(common.dictionary['passwords-common'] as Iterable<string>);
  const { score, feedback } = meter.check(password.slice(0, judged), [...context_words, ...own_words]);
  return { score, breached: leaked.has(password.toLowerCase()), warning: feedback.warning };
}
