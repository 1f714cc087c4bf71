import type { MessageKey, Translate } from '#content/messages.ts';

interface Reason {
  text: MessageKey;
  /** The field in question; null for the form as a whole. */
  field: string | null;
}

/** Why signing in or up may be refused, by refusal code; `other` is the default. */
const reasons: Readonly<Record<string, Reason>> = {
  invalid_credentials: { text: 'error.invalid_credentials', field: 'password' },
  username_taken: { text: 'error.username_taken', field: 'username' },
  username_malformed: { text: 'error.username_malformed', field: 'username' },
  email_taken: { text: 'error.email_taken', field: 'email' },
  email_malformed: { text: 'error.email_malformed', field: 'email' },
  password_length: { text: 'error.password_length', field: 'password' },
  password_weak: { text: 'error.password_weak', field: 'password' },
  passwords_differ: { text: 'error.passwords_differ', field: 'confirm_password' },
  rate_limited: { text: 'account.too_many', field: null },
  offline: { text: 'account.offline', field: null },
  other: { text: 'account.failed', field: null },
};

export interface FormProblem {
  text: string;
  field: string | null;
}

/** The message of every refusal, for `form.ts`. */
export const refusalTexts = (t: Translate): Record<string, FormProblem> =>
  Object.fromEntries(
    Object.entries(reasons).map(([code, { text, field }]) => [code, { text: t(text), field }]),
  );

/** The problem named by `error` in a query, null without one. */
export function problemOf(query: URLSearchParams, t: Translate): FormProblem | null {
  const code = query.get('error');
  if (code === null) return null;
  const { text, field } = (Object.hasOwn(reasons, code) && reasons[code]) || reasons.other!;
  return { text: t(text), field };
}
