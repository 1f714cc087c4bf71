import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parseSetCookie } from 'cookie';
import type { Submission } from './form-submission.ts';
import { Page } from './page.ts';

/** A request besides its address. */
export interface Sent {
  method?: string;
  /** In lower case; null leaves out one that browsers send. */
  headers?: Record<string, string | null>;
  body?: BodyInit;
}

interface VisitedSite {
  /** Where the site under test listens; requests carry the host of `url`. */
  port: number;
  url: string;
  /** Whether forms that write are refused, because other tests share the database. */
  read_only: boolean;
}

const max_redirects = 10;
/** Connections stay open between requests, but keep no process running. */
const agent = new Agent({ keepAlive: true });
const browser = {
  'accept-language': 'en-US',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
/** What a browser sends with an address that was typed. */
const navigation = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-user': '?1',
};

/** A browser without scripts: it stores cookies, follows redirects and sends forms as browsers do. */
export class Visitor {
  /** Name -> value. */
  readonly cookies = new Map<string, string>();
  readonly #site: VisitedSite;

  constructor(site: VisitedSite) {
    this.#site = site;
  }

  /** Stores a cookie. */
  keep(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  /** Goes to an address and gives the page that redirects lead to. */
  async open(path: string, { headers = {}, ...sent }: Sent = {}): Promise<Page> {
    let url = path;
    let step: Sent = { ...sent, headers: { ...navigation, ...headers } };
    for (let count = 0; count <= max_redirects; count++) {
      const answer = await this.fetch(url, step);
      const location = answer.headers.get('location');
      if (location === null || answer.status < 300 || answer.status >= 400)
        return new Page({ visitor: this, url, answer, html: await answer.text() });
      url = this.#resolved(location, url);
      // only 307 and 308 send the body again
      if (answer.status < 307 && step.method !== 'HEAD') {
        const { 'content-type': _, origin: __, ...rest } = step.headers!;
        step = { headers: rest };
      }
    }
    throw new Error(`${path} redirects more than ${max_redirects} times`);
  }

  /** Follows a link or sends a form of a page. */
  async go({ url, method, body }: Submission): Promise<Page> {
    const headers = { 'sec-fetch-site': 'same-origin' };
    if (method === 'get') return await this.open(url, { headers });
    if (this.#site.read_only) throw new Error("Forms that write need testSite(testDatabase('demo'))");
    return await this.open(url, {
      method: 'POST',
      headers: { ...headers, origin: this.#site.url },
      ...(body && { body }),
    });
  }

  /**
   * One request with the cookies of this browser, as scripts of our pages send it; no redirect is followed. `path` is sent
   * unchanged, unless it is an address of the site.
   */
  async fetch(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Response> {
    const { port, url } = this.#site;
    const target = path.startsWith(`${url}/`) ? path.slice(url.length) : path;
    const encoded = body === undefined ? null : new Response(body);
    const content_type = encoded?.headers.get('content-type');
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = {
      ...browser,
      ...{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      ...(cookie && { cookie }),
      ...(content_type && { 'content-type': content_type }),
      ...headers,
      host: new URL(url).host,
    };
    const answer = await ask(
      { port, path: target.split('#', 1)[0]!, method, headers: given(all) },
      encoded ? Buffer.from(await encoded.arrayBuffer()) : null,
    );
    for (const text of answer.headers.getSetCookie()) this.#store(text);
    return answer;
  }

  #store(text: string): void {
    const { name, value, maxAge, expires } = parseSetCookie(text, { decode: (raw) => raw });
    const is_over = maxAge !== undefined ? maxAge <= 0 : expires !== undefined && expires < new Date();
    if (is_over) this.cookies.delete(name);
    else this.cookies.set(name, value ?? '');
  }

  /** The target of a redirect or link below the site; throws for another origin. */
  #resolved(location: string, from: string): string {
    const { url } = this.#site;
    const target = new URL(location, new URL(from, url));
    if (target.origin !== url) throw new Error(`${from} leads away, to ${location}`);
    return target.href.slice(url.length);
  }
}

const given = (headers: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null));

interface Asked {
  port: number;
  path: string;
  method: string;
  headers: Record<string, string>;
}

function ask(asked: Asked, body: Buffer | null): Promise<Response> {
  return new Promise((done, fail) => {
    const sending = request({ host: '127.0.0.1', agent, ...asked }, (res) => {
      buffer(res).then((bytes) => {
        const headers = new Headers();
        for (let at = 0; at < res.rawHeaders.length; at += 2)
          headers.append(res.rawHeaders[at]!, res.rawHeaders[at + 1]!);
        const status = res.statusCode!;
        const is_empty = status === 204 || status === 304;
        done(new Response(is_empty ? null : bytes, { status, headers }));
      }, fail);
    });
    sending.on('error', fail);
    sending.end(body);
  });
}
