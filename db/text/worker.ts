import type { MessagePort } from 'node:worker_threads';
import { markdown } from './markdown.ts';
import type { Home } from './media.ts';

export interface Task {
  source: string;
  home: Home;
  /** Told when work begins: waiting in the queue must not count against the text. */
  started: MessagePort;
}

let made: { home: string; render: (source: string) => string } | undefined;

/** Most of it is made by closing the same tags again and again: nothing that a person reads is so long. */
const longest_html = 1_000_000;

/** The HTML of a text, or null when it cannot be made: too deep for the small stack of this thread, or too long. */
export default function render({ source, home, started }: Task): string | null {
  const key = JSON.stringify(home);
  if (made?.home !== key) made = { home: key, render: markdown(home) };
  started.postMessage(null);
  started.close();
  try {
    const html = made.render(source);
    return html.length > longest_html ? null : html;
  } catch {
    return null;
  }
}
