import type { Root } from 'hast';
import { mediaHosts } from './hosts.ts';
import { imageAddress } from './image-address.ts';
import { idPrefix, styles } from './sanitize-schema.ts';
import { elements } from './traverse.ts';

/** Settings of the installation that the worker needs. */
export interface RenderContext {
  /** SITE_URL and CDN_URL: links to them are internal, and images there load directly. */
  site: string;
  cdn: string;
  key: string;
}

/** The URL from which the page loads an image; null when it is not valid. */
function imageAddressOf(text: string, context: RenderContext): string | null {
  const written = text.trim();
  if (/^data:/i.test(written)) return /^data:image\//i.test(written) ? written : null;
  if (!URL.canParse(written, context.site)) return null;
  const url = new URL(written, context.site);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.origin === new URL(context.site).origin || url.origin === new URL(context.cdn).origin)
    return written;
  if ((mediaHosts as readonly string[]).includes(url.hostname)) return url.href;
  url.hash = '';
  return imageAddress(url.href, context.key);
}

/** `a.png 1x, b.png 2x` with every URL replaced; invalid candidates are left out. */
function imageSet(text: string, context: RenderContext): string | null {
  const kept = candidatesIn(text).flatMap(([address, descriptor]) => {
    const rewritten = imageAddressOf(address, context);
    if (!rewritten || /^data:/i.test(rewritten)) return [];
    return [descriptor === '' ? rewritten : `${rewritten} ${descriptor}`];
  });
  return kept.join(', ') || null;
}

/** The addresses of a set, each with its descriptor or ''. A comma ends a candidate where a space or another one follows. */
function candidatesIn(text: string): Array<[address: string, descriptor: string]> {
  const found: Array<[string, string]> = [];
  let address = '';
  for (const word of text.split(/\s+/)) {
    let next = word;
    if (address !== '') {
      const [descriptor = '', ...others] = word.split(',');
      found.push([address, descriptor]);
      next = others.join(',');
    }
    address = next.replace(/^,+|(?<!,),+$/g, '');
    if (address === '' || !next.endsWith(',')) continue;
    found.push([address, '']);
    address = '';
  }
  if (address !== '') found.push([address, '']);
  return found;
}

/** The declarations in `text` that the style table allows, or null. */
function allowedStyle(text: string): string | null {
  const allowed_declarations = text.split(';').flatMap((declaration) => {
    const [property, value, ...rest] = declaration.split(':').map((part) => part.trim().toLowerCase());
    const allowed =
      rest.length === 0 && styles.some(([name, values]) => name === property && values.includes(value!));
    return allowed ? [`${property}: ${value}`] : [];
  });
  return allowed_declarations.length > 0 ? allowed_declarations.join('; ') : null;
}

/**
 * Loads images of our own and trusted hosts directly, others through the proxy; filters styles; points image maps to
 * their prefixed names; gives every image an alternative text and lazy loading. Source: specification §5.
 */
export function images(context: RenderContext) {
  return (root: Root): void => {
    for (const { element } of elements(root)) {
      const { properties, tagName } = element;
      if (typeof properties.style === 'string')
        properties.style = allowedStyle(properties.style) ?? undefined;
      if (tagName !== 'img' && tagName !== 'source') continue;
      if (properties.src != null)
        properties.src = imageAddressOf(String(properties.src), context) ?? undefined;
      if (properties.srcSet != null)
        properties.srcSet = imageSet(String(properties.srcSet), context) ?? undefined;
      if (tagName !== 'img') continue;
      if (properties.useMap != null)
        properties.useMap = `#${idPrefix}${String(properties.useMap).replace(/^#/, '')}`;
      properties.alt ??= '';
      properties.loading = 'lazy';
    }
  };
}
