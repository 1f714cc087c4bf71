import type { MessagePort } from 'node:worker_threads';
import type { RenderContext } from './images.ts';
import { markdown } from './markdown.ts';

export interface Task {
  source: string;
  context: RenderContext;
  /** Told when work begins: waiting in the queue must not count against the text. */
  started: MessagePort;
}

/** A little of everything: what is loaded and compiled with the first text must not count against it either. */
const warm_up =
  '# a\n\n| a | b |\n| - | - |\n| ![a](/data/a.webp) | <kbd>b</kbd> |\n\n```js\nlet a = 1\n```\n\n- [ ] a https://a.example\n';

let made: { home: string; render: (source: string) => string } | undefined;

/** Most of it is made by closing the same tags again and again: nothing that a person reads is so long. */
const max_html = 1_000_000;

/** The HTML of a text, or null when it cannot be made: too deep for the small stack of this thread, or too long. */
export default function render({ source, context, started }: Task): string | null {
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
