import { expect, it } from 'vitest';
import { numberedLines } from './numbered-lines.ts';

it('numbers lines and lets none be anything but text', () => {
  expect(numberedLines('a\n<script>"&\'\n')).toBe(
    '<div id="L1"><a href="#L1">1</a><code>a\n</code></div>' +
      '<div id="L2"><a href="#L2">2</a><code>&lt;script&gt;&quot;&amp;&#39;\n</code></div>',
  );
});

it('numbers 20,000 lines, and shows all others as one', () => {
  const html = numberedLines(Array.from({ length: 20_003 }, (_, at) => `<${at + 1}`).join('\n'));
  expect(html.match(/<div id="L\d+">/g)).toHaveLength(20_001);
  expect(html).toContain('<a href="#L20000">20000</a><code>&lt;20000\n</code>');
  expect(html).toMatch(/<a href="#L20001">20001<\/a><code>&lt;20001\n&lt;20002\n&lt;20003\n<\/code><\/div>$/);
});
