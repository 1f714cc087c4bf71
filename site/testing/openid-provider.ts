import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A real OpenID provider on loopback, whose sign-in page takes any name and password. */
export interface OpenIdProvider {
  issuer: string;
  server: Server;
}

/** What it says about whoever signs in as `name`: names that begin with `un` have an unverified address. */
const claimsOf = (name: string) => ({
  sub: name,
  preferred_username: name,
  email: `${name}@provider.test`,
  email_verified: !name.startsWith('un'),
});

/** Starts one that knows the client `cairn` with the secret `open-sesame`, led back to `callback`. */
export async function openIdProvider(callback: string, port = 0): Promise<OpenIdProvider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'cairn',
        client_secret: 'open-sesame',
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (_context, name) => ({ accountId: name, claims: async () => claimsOf(name) }),
    pkce: { required: () => true },
    cookies: { keys: ['only in tests'] },
    features: { devInteractions: { enabled: true } },
    // who signs in agrees
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  server.on('request', provider.callback());
  return { issuer, server };
}

/** Walks through its pages as `name` like a browser, and gives the address that it leads back to. */
export async function signInAt(start: string, name: string): Promise<URL> {
  const jar = new Map<string, string>();
  const { origin } = new URL(start);
  let at = new URL(start);
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 12; step++) {
    const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ');
    const answer: Response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    form = null;
    for (const text of answer.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(text)!;
      jar.set(key!, value!);
    }
    const to = answer.headers.get('location');
    if (to !== null) {
      at = new URL(to, at);
      if (at.origin !== origin) return at;
      continue;
    }
    const page = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`The provider shows no form but: ${page.slice(0, 400)}`);
    at = new URL(action, at);
    form = new URLSearchParams({ prompt: 'login', login: name, password: 'any' });
  }
  throw new Error('The provider leads nowhere');
}
