import fc from 'fast-check';
import type { Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/soak.ts';
import { markdown } from './markdown.ts';
import { allowedElements } from './sanitize-schema.ts';
import { elements } from './traverse.ts';

const render = markdown({ site: 'https://cairn.example', cdn: 'https://cdn.cairn.example', key: 'test key' });

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style>@import "//evil.org"; </style><link rel=stylesheet href=//evil.org>',
  '<base href="//evil.org/"><meta http-equiv=refresh content="0;url=//evil.org">',
  '<form><button formaction=javascript:alert(1)>x</button></form>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '[x](<javascript:alert(1)>) ![x](javascript:alert(1))',
  '[x]: javascript:alert(1)\n\n[x]',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<template><img src=x onerror=alert(1)></template>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<details ontoggle=alert(1) open>x</details>',
  '<input type="checkbox" autofocus onfocus=alert(1)>',
  '<video src=x onerror=alert(1)><audio src=x onerror=alert(1)>',
  '`<img src=x onerror=alert(1)>`',
  '<area href="vbscript:x"><map name="x"><area href="javascript:alert(1)"></map>',
];
const reader = unified().use(rehypeRaw);

/** Parses the HTML like a browser and asserts: only allowed elements, no handlers, no scripts. */
function expectSafe(html: string): void {
  const tree = reader.runSync({ type: 'root', children: [{ type: 'raw', value: html }] } as Root);
  for (const { element } of elements(tree)) {
    expect(Object.keys(allowedElements)).toContain(element.tagName);
    for (const [name, value] of Object.entries(element.properties)) {
      expect(name).not.toMatch(/^on|srcdoc|formaction|^xlink/i);
      if (['href', 'src', 'cite'].includes(name))
        expect(String(value)).toMatch(/^(https?:|mailto:|tel:|data:image\/|[^:]*([/?#]|$))/i);
    }
  }
}

test.each(attacks)('neutralizes %s', (source) => {
  expectSafe(render(source));
});

test('neutralizes any mixture of attacks and Markdown', () => {
  const part = fc.oneof(
    fc.constantFrom(
      ...attacks,
      '\n\n',
      '> ',
      '- ',
      '```',
      '`',
      '[',
      '](',
      ')',
      '|',
      '"',
      "'",
      '<',
      '>',
      '</',
      '&lt;',
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => expectSafe(render(parts.join('')))),
    { numRuns: propertyRuns(200) },
  );
});
