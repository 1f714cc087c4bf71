import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Settings } from '#db/platform/runtime/env.ts';
import { secure } from '../http/headers.ts';
import { type Entry, encodeVariants, send, sizeOf } from '../http/page-cache/entry.ts';
import { requestLanguage } from '../http/request-language.ts';
import { defaultLanguage, languageOf } from '../text/languages.ts';
import { localizedPath } from './addresses.ts';
import { fill } from './tokens.ts';

export interface StaticPages {
  /** Answers a request for a prerendered file in the visitor's language; gives false for any other path. */
  serve(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean>;
  /** The addresses of the prerendered pages that search engines may list, without language. */
  paths: readonly string[];
}

interface Options {
  /** `dist/pages`. */
  folder: string;
  settings: Settings;
  /** The build id that pages carry. */
  build: string;
}

/** Finished pages are kept up to this size; every page of five languages takes about half of it. */
const max_bytes = 32 * 1024 ** 2;
const forever = Number.MAX_SAFE_INTEGER;

const types: Record<string, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};
const meta_policy = /<meta http-equiv="content-security-policy" content="([^"]*)"\s*\/?>/i;

/**
 * The pages that the build prerendered in every language, served without a database: settings are filled in on the
 * first request for a page, and its bytes are kept in three codings. Source: design §4.3.
 */
export function openStaticPages({ folder, settings, build }: Options): StaticPages {
  const files = existsSync(folder) ? filesIn(folder) : new Set<string>();
  const entries = new LRUCache<string, Entry>({ maxSize: max_bytes, sizeCalculation: sizeOf });

  async function entryOf(file: string, tag: string, hl: string | null): Promise<Entry> {
    const ending = file.split('.').at(-1) ?? '';
    const format = ending === 'json' ? 'json' : 'html';
    const text = fill(await readFile(join(folder, file), 'utf8'), { settings, build, hl, format });
    const policy = ending === 'html' ? meta_policy.exec(text)?.[1] : "default-src 'none'";
    const type = file.endsWith('/feed.json') ? 'application/feed+json; charset=utf-8' : types[ending];
    const headers = new Headers({ 'content-type': type ?? 'application/octet-stream' });
    if (policy) headers.set('content-security-policy', plain(policy));
    // feeds are read by apps too, whose pages have an origin of their own
    if (ending !== 'html') headers.set('access-control-allow-origin', '*');
    if (file.endsWith('_payload.json')) headers.set('x-robots-tag', 'noindex');
    const sent = secure(new Response(null, { headers }), { isPrivate: false, locale: tag }, settings).headers;
    return encodeVariants(
      { status: 200, headers: [...sent], body: Buffer.from(text.replace(meta_policy, '')) },
      [],
      forever,
    );
  }

  return {
    paths: [...files]
      .filter((file) => file.endsWith('.html') && !isLocalized(file) && !isUnlisted(join(folder, file)))
      .map(addressOf)
      .sort(),
    async serve(req, res, path) {
      // every page exists in the default language; other requests cost no more than this
      const fallback = fileOf(files, path);
      if (!fallback || isLocalized(fallback)) return false;
      const { url = '' } = req;
      const { tag } = requestLanguage(url, req.headers);
      const translated = fileOf(files, localizedPath(path, tag, defaultLanguage.tag));
      const hl = new URLSearchParams(url.split('?')[1]).get('hl');
      const kept = hl && languageOf(hl) ? tag : null;
      const key = `${translated ?? fallback}\n${kept ?? ''}`;
      let entry = entries.get(key);
      if (!entry) {
        entry = await entryOf(translated ?? fallback, translated ? tag : defaultLanguage.tag, kept);
        entries.set(key, entry);
      }
      await send(req, res, entry);
      return true;
    },
  };
}

/**
 * Whether the first segment of a file is a language, also one that this process does not offer: such addresses are
 * never served under that name.
 */
const isLocalized = (file: string): boolean => /^[a-z]{2,3}-[A-Za-z0-9]{2,4}([/.]|$)/.test(file);
const isUnlisted = (path: string): boolean =>
  readFileSync(path, 'utf8').includes('<meta name="robots" content="noindex"');
const addressOf = (file: string): string => `/${file.replace(/\.html$/, '')}`;

function fileOf(files: ReadonlySet<string>, path: string): string | null {
  const name = path.slice(1);
  if (files.has(`${name}.html`)) return `${name}.html`;
  return files.has(name) && !name.endsWith('.html') ? name : null;
}

const filesIn = (folder: string): Set<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  );

const plain = (text: string): string =>
  text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
