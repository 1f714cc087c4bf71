import { userByIdOrName } from '#db/platform/people/read.ts';
import type { AppServices } from '../../platform/context.ts';
import { authCookies, stepCookie } from '../../platform/http/cookies.ts';
import { twoFactorPath } from '../../platform/paths/two-factor-path.ts';
import type { FormResult } from '../../platform/route/form.ts';
import type { SignInResult } from './sign-in-steps.server.ts';

/**
 * How a form answers a sign-in: with the cookie of the session, or with the way to the second step and its cookie. Neither
 * token nor flow is in an address or readable by scripts.
 */
export async function signedInAnswer(
  services: AppServices,
  result: SignInResult,
  redirect: string | undefined,
): Promise<FormResult> {
  const { SITE_URL } = services.settings;
  if (result.flow !== undefined)
    return {
      cookies: [stepCookie('sign-in', result.flow, SITE_URL)],
      to: twoFactorPath(redirect ?? null),
      answer: { user: null },
    };
  return {
    cookies: authCookies(result.session.session, SITE_URL),
    answer: { user: result.user ?? (await userByIdOrName(services, result.session.user_id)) },
  };
}
