import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';

const max_tags = 1000;

/**
 * Tells a CDN what to purge: `POST` of `{"all": false, "tags": [...], "paths": [...]}` as JSON to `address`, batched
 * for 50 ms, tried three times. More than a thousand entries are sent as `all`. Does nothing without an address.
 */
export function purger(address: string | undefined, log: Logger) {
  let tags = new Set<string>();
  let paths = new Set<string>();
  let all = false;
  let waits = false;

  async function send(): Promise<void> {
    waits = false;
    const everything = all || tags.size + paths.size > max_tags;
    const body = JSON.stringify({
      all: everything,
      tags: everything ? [] : [...tags],
      paths: everything ? [] : [...paths],
    });
    tags = new Set();
    paths = new Set();
    all = false;
    for (let attempt = 1; attempt <= 3; attempt++) {
      const failure = await fetch(address!, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(5000),
        redirect: 'error',
      }).then(
        (answer) => (answer.ok ? null : new Error(`answered ${answer.status}`)),
        (error: Error) => error,
      );
      if (!failure) return;
      log.warn(
        { err: failure, attempt },
        'PURGE_URL did not accept a purge; after the third try the CDN serves outdated pages until they expire',
      );
      await wait(attempt * 1000, undefined, { ref: false });
    }
  }

  return (what: { tags?: Iterable<string>; paths?: Iterable<string>; all?: boolean }): void => {
    if (!address) return;
    for (const tag of what.tags ?? []) tags.add(tag);
    for (const path of what.paths ?? []) paths.add(path);
    all ||= what.all ?? false;
    if (!waits) setTimeout(() => void send(), 50).unref();
    waits = true;
  };
}
