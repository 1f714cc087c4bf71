import type { Refused } from '#db/platform/errors.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';

/**
 * Runs a route of OAuth. Its refusals are answered in the form of that protocol, which libraries read:
 * `{error, error_description}`, and `description` as everywhere else. Source: api-v3 §3.11; RFC 6749 §5.2.
 */
export async function withOAuthErrors(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    // the protocol has codes and headers of its own
    const refused = toRefused(error);
    if (!refused?.code.startsWith('oauth_')) throw error;
    return oauthError(refused);
  }
}

function oauthError({ code, status, message }: Refused): Response {
  const error = code === 'oauth_wrong_secret' ? 'invalid_client' : code.replace('oauth_', '');
  const headers: Record<string, string> =
    status === 401 ? { ...noStore, 'www-authenticate': 'Basic realm="Cairn"' } : noStore;
  return Response.json({ error, description: message, error_description: message }, { status, headers });
}

export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };
