/** A finished piece of XML. Only `element` creates one; everything else is text and gets escaped. */
export interface Xml {
  readonly xml: string;
}
type Child = Xml | string | null | Child[];
type Attributes = Record<string, string | number | null>;

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** `text` without what XML 1.0 cannot represent: control characters and lone surrogates. */
export const storable = (text: string): string => text.toWellFormed().replace(notInXml, '');

const escaped = (text: string): string => storable(text).replace(/[&<>"]/g, (char) => named[char]!);

const written = (child: Child): string => {
  if (child === null) return '';
  if (Array.isArray(child)) return child.map(written).join('');
  return typeof child === 'string' ? escaped(child) : child.xml;
};

/**
 * `<name a="...">children</name>`. Names are trusted, values and texts are escaped; attributes and children that are
 * null are omitted. Own code, because existing writers (`feed` 6.0.0 was tried) pass on control characters, which no
 * reader can parse, and titles as markup.
 */
export function element(name: string, attributes: Attributes, ...children: Child[]): Xml {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${escaped(String(value)).replace(/[\t\n\r]/g, ' ')}"`],
  );
  const inside = written(children);
  return { xml: `<${name}${given.join('')}${inside === '' ? '/>' : `>${inside}</${name}>`}` };
}

/** A whole XML document with its root element. */
export const document = ({ xml }: Xml): string => `<?xml version="1.0" encoding="utf-8"?>\n${xml}\n`;

/** User-written text for a plain-text context: without bidirectional control characters. */
export const plain = (text: string): string =>
  storable(text)
    .replace(/[\u202a-\u202e]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
