import { describe, expect, test } from 'vitest';
import { isSigned } from './image-address.ts';
import { markdown } from './markdown.ts';
import { allowedElements, styles } from './sanitize-schema.ts';

const home = { site: 'https://cairn.example', cdn: 'https://cdn.cairn.example', key: 'test key' };
const render = markdown(home);
const made = (source: string) =>
  render(source)
    .replace(/ loading="lazy"/g, '')
    .trim();
const proxied = (source: string) => {
  const query = /\/data\/_image\?([^" ]+)/.exec(render(source))?.[1]?.replaceAll('&#x26;', '&');
  return query ? new URLSearchParams(query) : null;
};

describe('the allow list', () => {
  test('is exactly this', () => {
    const written = Object.fromEntries(
      Object.entries(allowedElements).map(([name, attributes]) => [
        name,
        attributes.map((one) => (typeof one === 'string' ? one : one[0])).join(' '),
      ]),
    );
    const cells = 'align vAlign width rowSpan colSpan style';
    expect(written).toEqual({
      a: 'href title rel target',
      abbr: 'title',
      area: 'alt coords href rel shape title',
      bdi: 'dir',
      bdo: 'dir',
      blockquote: 'cite',
      code: 'className',
      col: 'align vAlign span width',
      colgroup: 'align vAlign span width',
      del: 'dateTime',
      details: 'open',
      div: 'align',
      font: 'color face size',
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, 'id align'])),
      iframe: 'src width height allowFullScreen frameBorder start end',
      img: 'src srcSet sizes alt title width height useMap align style',
      input: 'type checked disabled',
      ins: 'dateTime',
      kbd: 'id',
      li: 'value',
      map: 'name',
      ol: 'start reversed type',
      p: 'align',
      pre: 'className',
      q: 'cite',
      source: 'media sizes src srcSet type',
      span: 'className',
      table: 'width border align vAlign',
      tbody: 'align vAlign',
      td: cells,
      tfoot: 'align vAlign',
      th: cells,
      thead: 'align vAlign',
      time: 'dateTime',
      tr: 'align vAlign',
      ...Object.fromEntries(
        'b big br caption center cite dd dfn dl dt em figcaption figure hr i mark picture rp rt ruby s samp small strike strong sub summary sup tt u ul var wbr'
          .split(' ')
          .map((name) => [name, '']),
      ),
    });
    expect(styles).toEqual([
      ['image-rendering', ['pixelated']],
      ['text-align', ['left', 'center', 'right']],
      ['float', ['left', 'right']],
    ]);
  });

  test.each([
    '<details open><summary>More</summary>text</details>',
    '<p><kbd>Ctrl</kbd></p>',
    '<center>middle</center>',
    '<div align="center">middle</div>',
    '<p align="right">end</p>',
    '<table><tbody><tr><td style="text-align: center">x</td></tr></tbody></table>',
    '<p><picture><source media="(min-width: 1px)" srcset="https://i.imgur.com/a.png"></picture></p>',
  ])('keeps %s', (html) => {
    expect(made(html)).toBe(html);
  });

  test.each([
    ['<section class="x">in</section>', 'in'],
    ['<p class="hljs-x" onclick="x()" data-a="b" id="c">in</p>', '<p>in</p>'],
    [
      '<span class="hljs-string language-x evil hljs">in</span>',
      '<p><span class="hljs-string language-x">in</span></p>',
    ],
    ['<code class="language-js other">x</code>', '<p><code class="language-js">x</code></p>'],
    ['<form action="/x"><button>go</button></form>', 'go'],
    ['<input type="text" value="x" name="q">', '<input type="checkbox" disabled aria-label="☐">'],
    ['<h2 id="login">x</h2>', '<h2 id="user-content-login">x</h2>'],
    ['<h2 name="login">x</h2>', '<h2 id="user-content-x">x</h2>'],
    ['<kbd id="body">x</kbd>', '<p><kbd id="user-content-body">x</kbd></p>'],
    [
      '<map name="m"><area shape="rect" coords="1,2" href="/x"></map>',
      '<p><map name="user-content-m"><area shape="rect" coords="1, 2" href="/x"></map></p>',
    ],
    [
      '<img usemap="#m" src="/a.png" align="left">',
      '<img usemap="#user-content-m" src="/a.png" align="left" alt="">',
    ],
    ['x[^1]\n\n[^1]: a note', '<p>x[^1]</p>\n<p>[^1]: a note</p>'],
  ])('changes %s to %s', (source, html) => {
    expect(made(source)).toBe(html);
  });

  test.each([
    ['float:left;text-align:center', 'float: left; text-align: center'],
    ['IMAGE-RENDERING: pixelated;', 'image-rendering: pixelated'],
    ['image-rendering: auto', null],
    ['float: none; color: red', null],
    ['float: left !important', null],
    ['background: url(//e.org/x); float: right', 'float: right'],
    ['float: left: right', null],
  ])('reduces the style %s to %s', (style, stored) => {
    expect(made(`<img src="/a.png" style="${style}">`)).toBe(
      stored ? `<img src="/a.png" style="${stored}" alt="">` : '<img src="/a.png" alt="">',
    );
  });
});

describe('embeds', () => {
  const video = 'https://www.youtube-nocookie.com/embed/abc-_123ABC';
  test.each([
    ['https://www.youtube.com/embed/abc-_123ABC', video],
    ['http://youtube.com/embed/abc-_123ABC?start=12&end=40&autoplay=1', `${video}?start=12&end=40`],
    ['//www.youtube-nocookie.com/embed/abc-_123ABC?start=1s', video],
    [
      'https://discord.com/widget?id=123456789012345678&theme=dark',
      'https://discord.com/widget?id=123456789012345678',
    ],
  ])('converts %s to %s', (src, displayed) => {
    expect(render(`<iframe src="${src}"></iframe>`)).toContain(`src="${displayed.replace('&', '&#x26;')}"`);
  });

  test.each([
    'https://www.youtube.com/watch?v=abc-_123ABC',
    'https://www.youtube.com/embed/abc-_123ABCD',
    'https://www.youtube.com/embed/abc-_123ABC/../../x',
    'https://www.youtube.com.evil.org/embed/abc-_123ABC',
    'https://evil.org/www.youtube.com/embed/abc-_123ABC',
    'https://user@evil.org/embed/abc-_123ABC',
    'https://www.youtube.com:8443/embed/abc-_123ABC',
    'https://discord.com/widget?id=12345678901234567',
    'https://discord.com/api?id=123456789012345678',
    'data:text/html,x',
    'javascript:alert(1)',
    '',
  ])('removes a frame from %s', (src) => {
    expect(render(`a <iframe src="${src}" srcdoc="<b>x</b>"></iframe> b`)).not.toContain('iframe');
  });
});

describe('links', () => {
  const foreign = 'rel="noopener nofollow ugc"';
  test.each([
    ['[a](https://cairn.example/mod/x)', '<a href="https://cairn.example/mod/x">a</a>'],
    ['[a](/mod/x)', '<a href="/mod/x">a</a>'],
    ['<a href="/mod/x" rel="me" target="_blank">a</a>', '<a href="/mod/x" target="_blank">a</a>'],
    ['[a](https://other.example)', `<a href="https://other.example" ${foreign}>a</a>`],
    ['[a](//other.example)', `<a href="//other.example" ${foreign}>a</a>`],
    ['[a](https://cairn.example.evil.org)', `<a href="https://cairn.example.evil.org" ${foreign}>a</a>`],
    [
      '<a href="https://other.example" rel="follow" target="_top">a</a>',
      `<a href="https://other.example" ${foreign}>a</a>`,
    ],
    ['[a](mailto:a@b.org)', `<a href="mailto:a@b.org" ${foreign}>a</a>`],
    ['[a](javascript:alert(1))', '<a>a</a>'],
    [
      'https://other.example/x?y=1',
      `<a href="https://other.example/x?y=1" ${foreign}>https://other.example/x?y=1</a>`,
    ],
    ['<https://other.example>', `<a href="https://other.example" ${foreign}>https://other.example</a>`],
    ['<a@b.org>', `<a href="mailto:a@b.org" ${foreign}>a@b.org</a>`],
    ['www.other.example', 'www.other.example'],
    ['a@b.org', 'a@b.org'],
    ['x other.example y', 'x other.example y'],
    ['[www.x.org](https://x.org)', `<a href="https://x.org" ${foreign}>www.x.org</a>`],
  ])('changes %s to %s', (source, html) => {
    expect(made(source)).toBe(`<p>${html}</p>`);
  });

  test('points a link to a heading at its prefixed id', () => {
    expect(made('[go](#big-news)\n\n# Big news')).toBe(
      '<p><a href="#user-content-big-news">go</a></p>\n<h1 id="user-content-big-news">Big news</h1>',
    );
  });
});

describe('images', () => {
  test.each([
    'https://cairn.example/a.png',
    'https://cdn.cairn.example/data/x/images/y.webp',
    '/data/x/images/y.webp',
    'https://i.imgur.com/a.png',
    'https://img.shields.io/badge/a-b-green.svg?x=1',
    'data:image/png;base64,AAAA',
  ])('keeps %s', (url) => {
    expect(made(`![x](${url})`)).toBe(`<p><img src="${url}" alt="x"></p>`);
  });

  test.each([
    ['![x](https://other.example/a.png#top)', 'https://other.example/a.png'],
    ['![x](http://other.example/ä b.png)', null],
    ['<img src="//other.example/a.png">', 'https://other.example/a.png'],
    ['<img srcset="//other.example/a.png 2x">', 'https://other.example/a.png'],
    ['<picture><source srcset="http://other.example/a,b.png 1x"></picture>', 'http://other.example/a,b.png'],
    ['<img src="https://i.imgur.com.evil.org/a.png">', 'https://i.imgur.com.evil.org/a.png'],
    ['<img src="http://127.0.0.1:5432/">', 'http://127.0.0.1:5432/'],
  ])('loads %s through the proxy', (source, url) => {
    const query = proxied(source);
    expect(query?.get('url') ?? null).toBe(url);
    if (url) expect(isSigned(url, query!.get('s')!, home.key)).toBe(true);
  });

  test('a signature is valid for its own URL only', () => {
    const signature = proxied('![x](https://other.example/a.png)')!.get('s')!;
    expect(isSigned('https://other.example/b.png', signature, home.key)).toBe(false);
    expect(isSigned('https://other.example/a.png', signature, 'other key')).toBe(false);
    expect(isSigned('https://other.example/a.png', '', home.key)).toBe(false);
  });

  test('removes data URLs that are not images', () => {
    expect(made('<img src="data:text/html;base64,AAAA" alt="x">')).toBe('<img alt="x">');
  });
});

describe('code', () => {
  test.each(
    'javascript js python py lua java kotlin kt scala groovy gradle json json5 ini toml yaml yml xml html htm xhtml mcui fxml properties'.split(
      ' ',
    ),
  )('highlights %s', (language) => {
    expect(
      render(
        `\`\`\`${language}\n# a = "b" // 1\n[x]\n<a b="c">1</a> {"a": 1, "b": "text"}\nclass a\nb=c\nlocal x = 1\n\`\`\``,
      ),
    ).toContain('<span class="hljs-');
  });

  test.each(['css', 'jsx', 'rust', 'text', 'x"><script>'])('does not highlight %s', (language) => {
    const html = render(`\`\`\`${language}\nlet a = "b"; .c { color: red } <script>\n\`\`\``);
    expect(html).not.toMatch(/hljs|<script/);
  });
});

describe('emphasis beside the punctuation of Chinese, Japanese and Korean', () => {
  test.each([
    ['**测试（中文）**后面', '<p><strong>测试（中文）</strong>后面</p>'],
    ['前面**（测试）**', '<p>前面<strong>（测试）</strong></p>'],
    ['これは**「重要」**です', '<p>これは<strong>「重要」</strong>です</p>'],
    ['**이것은(중요)**입니다', '<p><strong>이것은(중요)</strong>입니다</p>'],
    ['*测试。*后面', '<p><em>测试。</em>后面</p>'],
    ['***测试！***后面', '<p><em><strong>测试！</strong></em>后面</p>'],
  ])('%s', (source, html) => {
    expect(made(source)).toBe(html);
  });

  test.each([
    ['a ** b ** c', '<p>a ** b ** c</p>'],
    ['snake_case_name', '<p>snake_case_name</p>'],
    ['**bold**text and *em*', '<p><strong>bold</strong>text and <em>em</em></p>'],
    ['2 * 3 * 4', '<p>2 * 3 * 4</p>'],
    ['`**（x）**` 后', '<p><code>**（x）**</code> 后</p>'],
  ])('elsewhere it is as in CommonMark: %s', (source, html) => {
    expect(made(source)).toBe(html);
  });
});
