import { request } from 'node:http';

/** The answer to a raw request. */
export interface RawResponse {
  /** The request target, as sent. */
  target: string;
  status: number;
  location: string | undefined;
  /** The text of the h1; null without one. */
  heading: string | null;
  text: string;
}

/** Requests `target` unchanged: no URL normalization. Gives the response, without following redirects. */
export async function rawRequest(base: string, target: string): Promise<RawResponse> {
  const { hostname, port } = new URL(base);
  const headers = { accept: 'text/html', host: `${hostname}:${port}` };
  return await new Promise((done, fail) => {
    request({ hostname, port, path: target, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const [, inner] = /<h1[^>]*>(.*?)<\/h1>/s.exec(text) ?? [];
      const heading = inner === undefined ? null : inner.replace(/<[^>]+>/g, '').trim();
      done({ target, status: answer.statusCode ?? 0, location: answer.headers.location, heading, text });
    })
      .on('error', fail)
      .end();
  });
}

/** Like `rawRequest`, following a few redirects; also whether each led to a path on our own origin. */
export async function followRedirects(
  base: string,
  target: string,
): Promise<RawResponse & { strayed: boolean }> {
  let at = await rawRequest(base, target);
  let strayed = false;
  for (let steps = 0; at.location !== undefined && steps < 4; steps++) {
    strayed ||= !/^\/(?![/\\])/.test(at.location);
    if (strayed) break;
    at = await rawRequest(base, at.location);
  }
  return { ...at, target, strayed };
}

/** Calls `work` for every item, four at a time; gives the results in order. */
export async function each<Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = things.entries();
  const walk = async () => {
    for (const [place, thing] of waiting) results[place] = await work(thing);
  };
  await Promise.all(Array.from({ length: 4 }, walk));
  return results;
}
