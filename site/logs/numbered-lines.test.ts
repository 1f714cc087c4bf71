import { expect, it } from 'vitest';
import { numberedLines } from './numbered-lines.ts';

it('numbers lines and lets none be anything but text', () => {
  expect(numberedLines('a\n<script>"&\'\n')).toBe(
    '<div id="L1"><a href="#L1">1</a><code>a\n</code></div>' +
      '<div id="L2"><a href="#L2">2</a><code>&lt;script&gt;&quot;&amp;&#39;\n</code></div>',
  );
});
