import type { Started } from '../runtime/timed-pool.ts';
import type { RenderContext } from './images.ts';
import { markdown } from './markdown.ts';

export interface Task {
  source: string;
  context: RenderContext;
}

/** A sample of all syntax, so that loading and compiling code does not count towards the first text. */
const warm_up =
  '# a\n\n| a | b |\n| - | - |\n| ![a](/data/a.webp) | <kbd>b</kbd> |\n\n```js\nlet a = 1\n```\n\n- [ ] a https://a.example\n';

let made: { home: string; render: (source: string) => string } | undefined;

/** Maximum HTML length. Longer output comes from tags that are closed again and again, not from readable text. */
const max_html = 1_000_000;

/** The HTML of a text, or null when it is too deep for the small stack of this thread, or too long. */
export default function render({ source, context, started }: Task & Started): string | null {
  const key = JSON.stringify(context);
  if (made?.home !== key) {
    made = { home: key, render: markdown(context) };
    made.render(warm_up);
  }
  started.postMessage(null);
  started.close();
  try {
    const html = made.render(source);
    return html.length > max_html ? null : html;
  } catch {
    return null;
  }
}
