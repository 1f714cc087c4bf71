import { z } from 'zod';
import { type MessageKey, messages } from '#content/messages.ts';
import { contextWords } from '#db/platform/people/context-words.ts';
import { type PasswordRating, ratePassword } from '#db/platform/people/password.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { authLimits, countAttempt } from '../../accounts/sign-in/limits.server.ts';
import { pageLocaleHeader } from '../../platform/paths/page-locale-header.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import { privateJson } from '../../platform/route/private-json.ts';
import type { Api } from '../../platform/route/types.ts';
import { negotiate } from '../../platform/text/languages.ts';

const word = z.string().max(1024);

/** Advice by what the estimator warns of; the rest is only too easy to guess. */
const advice: Record<string, MessageKey> = {
  straightRow: 'sign_in.strength_row',
  keyPattern: 'sign_in.strength_row',
  simpleRepeat: 'sign_in.strength_repeat',
  extendedRepeat: 'sign_in.strength_repeat',
  sequences: 'sign_in.strength_sequence',
  recentYears: 'sign_in.strength_date',
  dates: 'sign_in.strength_date',
  topTen: 'sign_in.strength_common',
  topHundred: 'sign_in.strength_common',
  common: 'sign_in.strength_common',
  similarToCommon: 'sign_in.strength_common',
  wordByItself: 'sign_in.strength_word',
  namesByThemselves: 'sign_in.strength_name',
  commonNames: 'sign_in.strength_name',
  userInputs: 'sign_in.strength_own',
};

function adviceOf({ score, refusal, warning }: PasswordRating): MessageKey {
  if (refusal === null) return score > 3 ? 'sign_in.strength_strong' : 'sign_in.strength_good';
  if (refusal !== 'password_weak') return `error.${refusal}`;
  return Object.hasOwn(advice, warning ?? '') ? advice[warning!]! : 'sign_in.strength_weak';
}

export const strengthShape = z.object({ score: z.int().min(0).max(4), text: z.string() });

/** How strong a new password is, for the meter below its field. Stores nothing. */
export function strengthRoute(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/auth/password-strength',
    summary: 'How hard a password is to guess',
    tag: 'internal',
    body: z.object({ password: word, username: word.default(''), email: word.default('') }),
    answer: strengthShape,
    async handle({ body: { password, username, email }, services, address, request, now }) {
      if (services.settings.RATE_LIMIT_PER_MINUTE > 0)
        countAttempt(authLimits(services).strength, networkOf(address), now);
      const rating = await ratePassword(password, [
        username.slice(0, 64),
        email.slice(0, 254),
        ...contextWords(services.settings),
      ]);
      const language = negotiate({ hl: request.headers.get(pageLocaleHeader), cookie: null, accept: null });
      const text = messages(language.tag).t(adviceOf(rating));
      return privateJson({ score: rating.refusal === null ? rating.score : Math.min(rating.score, 2), text });
    },
  });
}
