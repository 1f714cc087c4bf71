const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * The HTML of a log: every line with its number, which is its address (`#L12`). As one text, because a component for each of
 * ten thousand lines takes a second.
 */
export const numberedLines = (text: string): string =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => {
      const number = index + 1;
      const safe = line.replace(/[&<>"']/g, (one) => entities[one]!);
      return `<div id="L${number}"><a href="#L${number}">${number}</a><code>${safe}\n</code></div>`;
    })
    .join('');
