import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { assertAllowed } from '../errors.ts';
import type { Settings } from '../runtime/env.ts';
import type { Db } from '../sql.ts';
import { whyNotParsed, whyNotSaved } from './bounds.ts';
import { imageKey } from './image-address.ts';
import type { RenderContext } from './images.ts';
import { createRenderQueue } from './render-queue.ts';
import type { Rendered, Renderer, Requester } from './rendered.ts';
import type { Task } from './worker.ts';

/** Increase with every change of the renderer's output; a job then renders older texts again. */
export const RENDERER_VERSION = 1;

/**
 * Renderer versions whose HTML may be shown. Remove a version that is found unsafe: its texts then show their source.
 */
export const SAFE_VERSIONS: readonly number[] = [1];

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
  const pool = new Piscina<Task, string | null>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    resourceLimits: { stackSizeMb: 4, maxOldGenerationSizeMb: 256 },
  });
  // our own queue gives the pool no more texts than it has threads: a pool without a free thread may never start a
  // queued text after a thread was stopped
  const queue = createRenderQueue(threads);
  let key: Promise<string> | undefined;

  async function html(source: string, from: Requester): Promise<string | null> {
    if (from.account !== undefined) assertAllowed(whyNotSaved(source));
    if (whyNotParsed(source)) return null;
    key ??= db ? imageKey(db) : Promise.resolve('no key');
    const context = { site: SITE_URL, cdn: CDN_URL, key: await key };
    return await queue.run(from, async () => await work(source, context));
  }

  async function work(
    source: string,
    context: RenderContext,
  ): Promise<{ value: string | null; worked_ms: number }> {
    const { port1, port2 } = new MessageChannel();
    const stop = new AbortController();
    let clock: NodeJS.Timeout | undefined;
    let begun_ms: number | null = null;
    port1.once('message', () => {
      begun_ms = performance.now();
      clock = setTimeout(() => stop.abort(), timeout_ms);
    });
    const worked_ms = () => (begun_ms === null ? 0 : performance.now() - begun_ms);
    try {
      const task = { source, context, started: port2 };
      const value = await pool.run(task, { transferList: [port2], signal: stop.signal });
      return { value, worked_ms: worked_ms() };
    } catch (error) {
      if (begun_ms === null) throw error; // the thread could not start: an internal error, not caused by the text
      return { value: null, worked_ms: worked_ms() }; // stopped after two seconds, or out of memory: the next text gets a new thread
    } finally {
      clearTimeout(clock);
      port1.close();
    }
  }

  return {
    render: async (source, from = {}) => ({
      source,
      html: source === '' ? '' : ((await html(source, from)) ?? escapedSource(source)),
      version: RENDERER_VERSION,
    }),
    close: async () => await pool.destroy(),
  };
}
