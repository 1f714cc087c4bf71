import { requester } from '../runtime/requester.ts';
import type { SecurityEvent, SecurityOrigin } from './security-log.ts';

/** From where the work of this moment was asked for, and by which session, token or app. */
export function origin(): SecurityOrigin {
  const { address = null, credential = null } = requester() ?? {};
  return { address, credential };
}

/**
 * Tells the log of this process; nothing where nobody asked for the work, as in commands. `credential` is the session that begins
 * by it, where one does.
 */
export const noteSecurity = (event: SecurityEvent, credential?: string): void =>
  requester()?.security?.record(event, { ...origin(), ...(credential && { credential }) });
