import { assertAllowed } from '../errors.ts';
import type { Db } from '../postgres/sql.ts';
import type { Settings } from '../runtime/env.ts';
import { timedPool } from '../runtime/timed-pool.ts';
import { whyNotParsed, whyNotSaved } from './bounds.ts';
import { imageKey } from './image-address.ts';
import { createRenderQueue } from './render-queue.ts';
import type { Rendered, Renderer, Requester } from './rendered.ts';
import type { Task } from './worker.ts';

/** Increase with every change of the renderer's output; a job then renders older texts again. */
export const RENDERER_VERSION = 2;

/**
 * Renderer versions whose HTML may be shown. Remove a version that is found unsafe: its texts then show their source.
 */
export const SAFE_VERSIONS: readonly number[] = [1, 2];

const usual_timeout_ms = 2000;
const threads = 2;
const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The source as text, for when rendering failed. */
export const escapedSource = (source: string): string =>
  source === '' ? '' : `<pre>${source.replace(/[&<>"]/g, (char) => named[char]!)}</pre>`;

/** HTML of a stored text for a page: its own when a safe renderer version made it, else the source as text. */
export const safeHtml = ({ source, html, version }: Rendered): string =>
  SAFE_VERSIONS.includes(version) ? html : escapedSource(source);

/**
 * The renderer of a process: two threads, started with the first text. A text beyond the limits (length, depth, two
 * seconds of work, memory) is shown as its source. Refuses what the queue refuses, and `body_too_complex` for an
 * account's text with excessive markup. Links and images depend on the addresses in `settings`. `db` is read once, for the key that signs image URLs; without it (tests)
 * external images do not load.
 * Source: stack §9.
 */
export function createRenderer(
  { SITE_URL, CDN_URL }: Pick<Settings, 'SITE_URL' | 'CDN_URL'>,
  db?: Db,
  timeout_ms = usual_timeout_ms,
): Renderer {
  const pool = timedPool<Task, string | null>({
    filename: new URL('./worker.ts', import.meta.url),
    threads,
    memory_mb: 256,
  });
  const queue = createRenderQueue(threads);
  let key: Promise<string> | undefined;

  async function html(source: string, from: Requester): Promise<string | null> {
    if (from.account !== undefined) assertAllowed(whyNotSaved(source));
    if (whyNotParsed(source)) return null;
    key ??= db ? imageKey(db) : Promise.resolve('no key');
    const context = { site: SITE_URL, cdn: CDN_URL, key: await key };
    return await queue.run(from, async () => await pool.run({ source, context }, timeout_ms));
  }

  return {
    render: async (source, from = {}) => ({
      source,
      html: source === '' ? '' : ((await html(source, from)) ?? escapedSource(source)),
      version: RENDERER_VERSION,
    }),
    close: pool.close,
  };
}
