/** What is more becomes the text of one more line: each line has a hundred bytes of markup, and a log may be a million of them. */
const max_numbered = 20_000;

/**
 * The HTML of a log: every line with its number, which is its address (`#L12`). As one text, because a component for each of
 * ten thousand lines takes a second.
 */
export function numberedLines(text: string): string {
  const safe = escaped(text.replace(/\n$/, ''));
  const lines = safe.split('\n', max_numbered);
  const shown = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (shown < safe.length) lines.push(safe.slice(shown));
  return lines
    .map((line, index) => {
      const number = index + 1;
      return `<div id="L${number}"><a href="#L${number}">${number}</a><code>${line}\n</code></div>`;
    })
    .join('');
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
