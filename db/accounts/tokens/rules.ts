import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import { type Scope, tokenScopes, unrestrictedScopes } from '../../platform/people/scopes/rules.ts';

/** The longest life of a personal access token, in days. */
const max_token_days = 366;
const max_token_ms = max_token_days * 86_400_000;

/** What a token that `by` issues may carry: `STAFF` is for staff in a session, and for no operator command. */
export const issuableScopes = (by: Actor | null): readonly Scope[] =>
  by?.interactive && isModerator(by) ? tokenScopes : unrestrictedScopes;

/** Why `by` may not issue a token with `scopes`, or null; `by` is null for operator commands. Source: api-v3 §4.2. */
export const whyNotTokenScopes = (scopes: Iterable<Scope>, by: Actor | null): RefusalCode | null =>
  [...scopes].every((scope) => issuableScopes(by).includes(scope)) ? null : 'scope_restricted';

/** Why a token may not end at `expires`, or null. */
export function whyNotTokenExpiry(expires: Date, now: Date): RefusalCode | null {
  if (expires <= now) return 'token_expiry_past';
  return expires.getTime() - now.getTime() > max_token_ms ? 'token_expiry_late' : null;
}
