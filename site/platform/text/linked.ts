/** A part of a plain text: as it is, or an address in it. */
export type LinkedPart = string | { href: string };

/** The web addresses in a plain text, without the signs that end a sentence after them. */
export function linkedParts(text: string): LinkedPart[] {
  const parts: LinkedPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(/\bhttps?:\/\/[^\s<>"]+/g)) {
    const bare = found.replace(/(?<![.,;:!?'”’])[.,;:!?'”’]+$/, '');
    // a bracket belongs to the address when one opens in it
    const href = bare.includes('(') ? bare : bare.replace(/(?<!\))\)+$/, '');
    if (!URL.canParse(href)) continue;
    if (index > from) parts.push(text.slice(from, index));
    parts.push({ href });
    from = index + href.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
