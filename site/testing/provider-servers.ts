import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a fake provider was asked. */
interface Asked {
  path: string;
  method: string;
  headers: IncomingMessage['headers'];
  body: URLSearchParams;
}
type Answer = (asked: Asked, res: ServerResponse) => void;

export interface ProviderServer {
  url: string;
  asked: Asked[];
  /** Answers by path; others are 404. */
  answers: Record<string, Answer>;
  server: Server;
}

/** A server on loopback that answers as a provider does, or as `answers` says instead. */
export async function providerServer(answers: Record<string, Answer>): Promise<ProviderServer> {
  const asked: Asked[] = [];
  const made = { asked, answers } as ProviderServer;
  made.server = createServer(async (req, res) => {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part);
    const path = req.url!.split('?')[0]!;
    const body = new URLSearchParams(Buffer.concat(parts).toString());
    const one = { path, method: req.method!, headers: req.headers, body };
    asked.push(one);
    const answer = made.answers[path];
    if (answer) answer(one, res);
    else res.writeHead(404).end();
  });
  await new Promise<void>((done) => made.server.listen(0, '127.0.0.1', done));
  made.url = `http://127.0.0.1:${(made.server.address() as AddressInfo).port}`;
  return made;
}

/** Answers with JSON. */
export const sends =
  (value: unknown, status = 200): Answer =>
  (_asked, res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

const token = sends({ access_token: 'at', token_type: 'bearer' });

export const githubAnswers = (): Record<string, Answer> => ({
  '/login/oauth/access_token': token,
  '/api/v3/user': sends({ id: 4711, login: 'octo-mirelle' }),
  '/api/v3/user/emails': sends([
    { email: 'other@provider.test', primary: false, verified: true },
    { email: 'octo@provider.test', primary: true, verified: true },
  ]),
});

export const discordAnswers = (): Record<string, Answer> => ({
  '/api/oauth2/token': token,
  '/api/users/@me': sends({
    id: '80351110224678912',
    username: 'nelly',
    email: 'n@provider.test',
    verified: false,
  }),
});

/** Steam finds every answer genuine that is signed `right`. */
export const steamAnswers = (): Record<string, Answer> => ({
  '/openid/login': ({ body }, res) => {
    const valid = body.get('openid.mode') === 'check_authentication' && body.get('openid.sig') === 'right';
    res.end(`ns:http://specs.openid.net/auth/2.0\nis_valid:${valid}\n`);
  },
});

/** The query that Steam leads back with, for the address that it was asked with. */
export function steamAssertion(start: URL, id: string, now = new Date()): URLSearchParams {
  const server = start.origin;
  return new URLSearchParams({
    'openid.ns': 'http://specs.openid.net/auth/2.0',
    'openid.mode': 'id_res',
    'openid.op_endpoint': `${server}/openid/login`,
    'openid.claimed_id': `${server}/openid/id/${id}`,
    'openid.identity': `${server}/openid/id/${id}`,
    'openid.return_to': start.searchParams.get('openid.return_to')!,
    'openid.response_nonce': `${now.toISOString().slice(0, 19)}Zabc`,
    'openid.assoc_handle': '1234567890',
    'openid.signed': 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle',
    'openid.sig': 'right',
  });
}
