import { Refused } from '#db/platform/errors.ts';
import { boundedText, failed } from './bounded-request.ts';
import type { Provider } from './provider.ts';

const name = 'Steam';
const version = 'http://specs.openid.net/auth/2.0';
const anybody = `${version}/identifier_select`;
/** What the signature has to cover. Source: OpenID Authentication 2.0 §10.1. */
const needed = ['op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle'];
const nonce_ms = 10 * 60_000;

/** Our address with the state, which Steam has to lead back to exactly. */
const returnTo = (callback: string, state: string): string => `${callback}?state=${state}`;

/**
 * Steam by OpenID 2.0. Whether an answer is genuine Steam itself says (`check_authentication`), so it needs no shared
 * secret. An answer holds for one attempt only: it names our address with its state, and a state counts once. Source:
 * OpenID Authentication 2.0 §9, §11.
 */
export function steam(
  { callback, limit_ms }: { callback: string; limit_ms: number },
  url = 'https://steamcommunity.com',
): Provider {
  const endpoint = `${url}/openid/login`;
  return {
    id: 'steam',
    name,
    issuer: url,
    async start({ state }) {
      const to = new URL(endpoint);
      to.search = String(
        new URLSearchParams({
          'openid.ns': version,
          'openid.mode': 'checkid_setup',
          'openid.claimed_id': anybody,
          'openid.identity': anybody,
          'openid.return_to': returnTo(callback, state),
          'openid.realm': new URL(callback).origin,
        }),
      );
      return to;
    },
    async finish({ state }, query, now) {
      const said = (key: string): string => query.get(`openid.${key}`) ?? '';
      if (said('mode') === 'cancel') throw new Refused('provider_declined', { provider: name });
      const wrong = whyNotAnswer(query, said, { endpoint, expected: returnTo(callback, state), now });
      if (wrong) throw failed(name, wrong);
      // claimed_id is http: or https:, of this host and nothing around it
      const prefix = `${new URL(url).host}/openid/id/`;
      const subject = said('claimed_id').replace(/^https?:\/\//, '');
      if (!subject.startsWith(prefix) || !/^\d{1,20}$/.test(subject.slice(prefix.length)))
        throw failed(name, 'no claimed_id of Steam');
      const sent = [...query].filter(([key]) => key.startsWith('openid.'));
      const body = new URLSearchParams(sent);
      body.set('openid.mode', 'check_authentication');
      const answer = await boundedText(endpoint, { method: 'POST', body }, { provider: name, limit_ms });
      if (!/^is_valid:true$/m.test(answer)) throw failed(name, 'not genuine');
      return { subject: subject.slice(prefix.length), username: null, email: null };
    },
  };
}

function whyNotAnswer(
  query: URLSearchParams,
  said: (key: string) => string,
  { endpoint, expected, now }: { endpoint: string; expected: string; now: Date },
): string | null {
  const twice = [...query.keys()].some((key) => query.getAll(key).length > 1);
  if (twice) return 'a field twice';
  if (said('ns') !== version || said('mode') !== 'id_res') return 'another mode';
  if (said('op_endpoint') !== endpoint) return 'another endpoint';
  if (said('return_to') !== expected) return 'another address to return to';
  if (said('claimed_id') !== said('identity')) return 'two identities';
  const signed = said('signed').split(',');
  if (needed.some((field) => !signed.includes(field))) return 'fields without signature';
  const at = Date.parse(said('response_nonce').slice(0, 20));
  if (!(Math.abs(now.getTime() - at) <= nonce_ms)) return 'an old answer';
  return null;
}
