import { LRUCache } from 'lru-cache';
import { escapedSource, safeHtml } from '#db/platform/text/render.ts';
import type { Renderer } from '#db/platform/text/rendered.ts';

const most_bytes = 16 * 1024 * 1024;
/** Messages do not change, so the HTML of the newest is kept by id. */
const made = new LRUCache<string, { html: string }>({
  maxSize: most_bytes,
  sizeCalculation: ({ html }) => html.length * 2 + 100,
});

/**
 * The HTML of a message, at the expense of its author's share of the renderer: who writes what takes long slows down
 * nobody else. What the renderer refuses is shown as its source.
 */
export async function messageHtml(
  renderer: Renderer,
  { id, source, account }: { id: string; source: string; account: string | null },
): Promise<string> {
  const known = made.get(id);
  if (known) return known.html;
  try {
    const html = safeHtml(await renderer.render(source, { account: account ?? undefined }));
    made.set(id, { html });
    return html;
  } catch {
    return escapedSource(source);
  }
}
