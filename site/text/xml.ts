/** A finished piece of XML. Only `element` makes one, so whatever is not one is text and gets escaped. */
export interface Xml {
  readonly xml: string;
}
type Child = Xml | string | null | Child[];
type Attributes = Record<string, string | number | null>;

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** `text` without what XML 1.0 cannot hold: control characters and halves of surrogate pairs. */
export const storable = (text: string): string => text.toWellFormed().replace(notInXml, '');

const escaped = (text: string): string => storable(text).replace(/[&<>"]/g, (char) => named[char]!);

const written = (child: Child): string => {
  if (child === null) return '';
  if (Array.isArray(child)) return child.map(written).join('');
  return typeof child === 'string' ? escaped(child) : child.xml;
};

/**
 * `<name a="...">children</name>`. Names are ours, values and texts anybody's; attributes and children that are null are
 * left out. Own code, because kept writers (`feed` 6.0.0 was tried) let control characters through, which no reader
 * can parse, and pass titles on as markup.
 */
export function element(name: string, attributes: Attributes, ...children: Child[]): Xml {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${escaped(String(value)).replace(/[\t\n\r]/g, ' ')}"`],
  );
  const inside = written(children);
  return { xml: `<${name}${given.join('')}${inside === '' ? '/>' : `>${inside}</${name}>`}` };
}

/** A whole document around its outermost element. */
export const document = ({ xml }: Xml): string => `<?xml version="1.0" encoding="utf-8"?>\n${xml}\n`;

/** What somebody wrote, for a place that is plain text: without the marks that turn the order of what follows. */
export const plain = (text: string): string =>
  storable(text)
    .replace(/[\u202a-\u202e]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
