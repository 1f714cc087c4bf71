import { z } from 'zod';
import { Refused } from '#db/platform/errors.ts';
import type { AppServices } from '../../platform/context.ts';

const answerShape = z.object({ success: z.boolean() });
const wait_ms = 5_000;

/**
 * Checks what the captcha of a form gave, by asking the service at CAPTCHA_URL (POST of `secret` and `response`, answered
 * with `{ success }`). Does nothing while none is configured. Refuses `captcha_failed`, and `captcha_away` when the service
 * does not answer. Source: api-v3 §4.
 */
export async function assertHuman(
  { settings, log }: Pick<AppServices, 'settings' | 'log'>,
  challenge: string | undefined,
): Promise<void> {
  const { CAPTCHA_URL, CAPTCHA_SECRET } = settings;
  if (!CAPTCHA_URL || !CAPTCHA_SECRET) return;
  if (!challenge) throw new Refused('captcha_failed');
  let success: boolean;
  try {
    const body = new URLSearchParams({ secret: CAPTCHA_SECRET, response: challenge });
    const signal = AbortSignal.timeout(wait_ms);
    const answer = await fetch(CAPTCHA_URL, { method: 'POST', body, signal, redirect: 'error' });
    success = answerShape.parse(await answer.json()).success;
  } catch (error) {
    log.warn({ err: error }, 'The captcha service did not answer; nobody can sign in meanwhile');
    throw new Refused('captcha_away');
  }
  if (!success) throw new Refused('captcha_failed');
}
