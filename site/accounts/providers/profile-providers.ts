import { accessTokenOf, authorizationUrl, codeOf, exchangeCode } from './authorization-code.ts';
import { type Asking, boundedJson, boundedText, failed } from './bounded-request.ts';
import type { Identity, Provider, Registration } from './provider.ts';

/** Providers of OAuth 2 without ID tokens: who somebody is says their profile, asked for with the access token. */

interface ProfileProvider extends Pick<Provider, 'id' | 'name' | 'issuer'> {
  authorize: string;
  token: string;
  scopes: string[];
  profile(access: RequestInit, asking: Asking): Promise<Identity>;
}

function profileProvider(given: ProfileProvider, registration: Registration): Provider {
  const { id, name, issuer, authorize, token, scopes, profile } = given;
  return {
    id,
    name,
    issuer,
    start: async (attempt) => authorizationUrl(authorize, registration, attempt, scopes),
    async finish({ verifier }, query) {
      const code = codeOf(query, name);
      const tokens = await exchangeCode(token, registration, { code, verifier, provider: name });
      const headers = { authorization: `Bearer ${accessTokenOf(tokens, name)}` };
      return await profile({ headers }, { provider: name, limit_ms: registration.limit_ms });
    },
  };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value ? value : null);

/** GitHub, or with `url` a GitHub Enterprise Server. */
export function github(registration: Registration, url = 'https://github.com'): Provider {
  const api = url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
  return profileProvider(
    {
      id: 'github',
      name: 'GitHub',
      issuer: url,
      authorize: `${url}/login/oauth/authorize`,
      token: `${url}/login/oauth/access_token`,
      scopes: ['read:user', 'user:email'],
      async profile(access, asking) {
        const user = await boundedJson(`${api}/user`, access, asking);
        if (!Number.isSafeInteger(user.id)) throw failed('GitHub', 'no id');
        const email = await verifiedAddress(`${api}/user/emails`, access, asking);
        return { subject: String(user.id), username: textOrNull(user.login), email };
      },
    },
    registration,
  );
}

/** The main address, when GitHub verified it. */
async function verifiedAddress(url: string, access: RequestInit, asking: Asking): Promise<string | null> {
  const headers = { accept: 'application/json', 'user-agent': 'Cairn', ...access.headers };
  const text = await boundedText(url, { headers }, asking);
  try {
    const list = JSON.parse(text) as Array<{ email?: unknown; primary?: unknown; verified?: unknown }>;
    return textOrNull(list.find(({ primary, verified }) => primary === true && verified === true)?.email);
  } catch (error) {
    throw failed(asking.provider, error);
  }
}

/** Discord; `url` for a proxy before it. */
export function discord(registration: Registration, url = 'https://discord.com'): Provider {
  return profileProvider(
    {
      id: 'discord',
      name: 'Discord',
      issuer: url,
      authorize: `${url}/oauth2/authorize`,
      token: `${url}/api/oauth2/token`,
      scopes: ['identify', 'email'],
      async profile(access, asking) {
        const user = await boundedJson(`${url}/api/users/@me`, access, asking);
        if (typeof user.id !== 'string' || !/^\d{1,20}$/.test(user.id)) throw failed('Discord', 'no id');
        const email = user.verified === true ? textOrNull(user.email) : null;
        return { subject: user.id, username: textOrNull(user.username), email };
      },
    },
    registration,
  );
}
