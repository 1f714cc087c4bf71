import { defaultSchema, type Options as Schema } from 'rehype-sanitize';

/** Allowed prefix of class names on code. Source: specification §5. */
const codeClass: [string, RegExp] = ['className', /^(hljs-|language-)[\w+#.-]*$/];
const cellSpan = ['align', 'vAlign', 'width', 'rowSpan', 'colSpan', 'style'];

/**
 * Allowed attributes by element. Other elements are removed and their content stays. `style` is filtered further by
 * `styles`, `src` and `srcSet` by images.ts, `href` and `rel` by links.ts.
 * Source: specification §5 (Extra allowed). These come on top of the usual text elements. No audio and video: the
 * proxy carries pictures only. No landmarks (header, nav, main): a description is inside one of the page's own.
 */
export const allowedElements: Readonly<
  Record<string, Array<string | [string, ...Array<string | RegExp | boolean>]>>
> = {
  a: ['href', 'title', 'rel', ['target', '_blank']],
  abbr: ['title'],
  area: ['alt', 'coords', 'href', 'rel', 'shape', 'title'],
  b: [],
  bdi: ['dir'],
  bdo: ['dir'],
  big: [],
  blockquote: ['cite'],
  br: [],
  caption: [],
  center: [],
  cite: [],
  code: [codeClass],
  col: ['align', 'vAlign', 'span', 'width'],
  colgroup: ['align', 'vAlign', 'span', 'width'],
  dd: [],
  del: ['dateTime'],
  details: ['open'],
  dfn: [],
  div: ['align'],
  dl: [],
  dt: [],
  em: [],
  figcaption: [],
  figure: [],
  font: ['color', 'face', 'size'],
  h1: ['id', 'align'],
  h2: ['id', 'align'],
  h3: ['id', 'align'],
  h4: ['id', 'align'],
  h5: ['id', 'align'],
  h6: ['id', 'align'],
  hr: [],
  i: [],
  iframe: ['src', 'width', 'height', 'allowFullScreen', 'frameBorder', 'start', 'end'],
  img: ['src', 'srcSet', 'sizes', 'alt', 'title', 'width', 'height', 'useMap', 'align', 'style'],
  input: [['type', 'checkbox'], 'checked', ['disabled', true]],
  ins: ['dateTime'],
  kbd: ['id'],
  li: ['value'],
  map: ['name'],
  mark: [],
  ol: ['start', 'reversed', 'type'],
  p: ['align'],
  picture: [],
  pre: [codeClass],
  q: ['cite'],
  rp: [],
  rt: [],
  ruby: [],
  s: [],
  samp: [],
  small: [],
  source: ['media', 'sizes', 'src', 'srcSet', 'type'],
  span: [codeClass],
  strike: [],
  strong: [],
  sub: [],
  summary: [],
  sup: [],
  table: ['width', 'border', 'align', 'vAlign'],
  tbody: ['align', 'vAlign'],
  td: cellSpan,
  tfoot: ['align', 'vAlign'],
  th: cellSpan,
  thead: ['align', 'vAlign'],
  time: ['dateTime'],
  tr: ['align', 'vAlign'],
  tt: [],
  u: [],
  ul: [],
  var: [],
  wbr: [],
};

/** Allowed declarations in `style`. Source: specification §5 (Styles). */
export const styles: ReadonlyArray<readonly [property: string, values: readonly string[]]> = [
  ['image-rendering', ['pixelated']],
  ['text-align', ['left', 'center', 'right']],
  ['float', ['left', 'right']],
];

/** Prefix for every id and name in user text, so that none can clash with ids of the page. */
export const idPrefix = 'user-content-';

/** The schema for rehype-sanitize. */
export const schema: Schema = {
  tagNames: Object.keys(allowedElements),
  attributes: { ...allowedElements },
  ancestors: defaultSchema.ancestors ?? {},
  clobber: ['id', 'name'],
  clobberPrefix: idPrefix,
  protocols: {
    href: ['http', 'https', 'mailto', 'tel'],
    src: ['http', 'https', 'data'],
    cite: ['http', 'https'],
  },
  required: { input: { type: 'checkbox', disabled: true } },
  strip: ['script', 'style', 'template', 'noscript', 'title', 'textarea'],
};
