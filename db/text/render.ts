import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { settings } from '../env.ts';
import { Refused } from '../errors.ts';
import type { Db } from '../sql.ts';
import { whyNotParsed } from './bounds.ts';
import { imageKey } from './image-address.ts';
import type { Rendered, Renderer } from './rendered.ts';
import type { Task } from './worker.ts';

/** Rises with every change of what the renderer makes; a job then renders anew what older ones made. */
export const RENDERER_VERSION = 1;

/** Versions whose HTML may still be shown. A version found unsafe is taken out, and its texts show as source. */
export const SAFE_VERSIONS: readonly number[] = [1];

const longest_ms = 2000;
const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it was written, for when it cannot be rendered. */
export const asSource = (source: string): string =>
  source === '' ? '' : `<pre>${source.replace(/[&<>"]/g, (char) => named[char]!)}</pre>`;

/** What a page shows of a stored text: its HTML when a version counted as safe made it, else the source. */
export const shown = ({ source, html, version }: Rendered): string =>
  SAFE_VERSIONS.includes(version) ? html : asSource(source);

/**
 * The renderer of a process: two threads that start with the first text. A text beyond the bounds (length, depth, two
 * seconds of work, memory) is shown as its source; more than 500 waiting texts refuse `busy` (503).
 * `db` is asked once for the key that signs picture addresses; without it (tests) foreign pictures do not load.
 * Source: stack.md §9.
 */
export function createRenderer(db?: Db): Renderer {
  const pool = new Piscina<Task, string | null>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: 60_000,
    maxQueue: 500,
    resourceLimits: { stackSizeMb: 4, maxOldGenerationSizeMb: 256 },
  });
  let key: Promise<string> | undefined;

  async function html(source: string): Promise<string | null> {
    if (whyNotParsed(source)) return null;
    key ??= db ? imageKey(db) : Promise.resolve('no key');
    const home = { site: settings().SITE_URL, cdn: settings().CDN_URL, key: await key };
    if (pool.queueSize >= 500) throw new Refused('busy');
    const { port1, port2 } = new MessageChannel();
    const stop = new AbortController();
    let clock: NodeJS.Timeout | undefined;
    let working = false;
    port1.once('message', () => {
      working = true;
      clock = setTimeout(() => stop.abort(), longest_ms);
    });
    try {
      return await pool.run({ source, home, started: port2 }, { transferList: [port2], signal: stop.signal });
    } catch (error) {
      if (!working) throw error; // the thread could not even begin: that is our fault, not the text's
      return null; // stopped after two seconds, or out of memory: the next text gets a new thread
    } finally {
      clearTimeout(clock);
      port1.close();
    }
  }

  return {
    render: async (source) => ({
      source,
      html: source === '' ? '' : ((await html(source)) ?? asSource(source)),
      version: RENDERER_VERSION,
    }),
    close: async () => await pool.destroy(),
  };
}
