import type { Root } from 'hast';
import type { Link, Root as MarkdownRoot, Nodes } from 'mdast';
import type { RenderContext } from './images.ts';
import { idPrefix } from './sanitize-schema.ts';
import { elements } from './traverse.ts';

/** Only complete URLs become automatic links: `www.x.org` and `a@b.org` stay text. Source: specification §5. */
export function fullAddressesOnly() {
  return (root: MarkdownRoot, file: { toString(): string }): void => {
    const source = String(file);
    const open: Nodes[] = [root];
    for (let parent = open.pop(); parent; parent = open.pop()) {
      if (!('children' in parent)) continue;
      const children: Nodes[] = parent.children;
      open.push(...children);
      Object.assign(parent, {
        children: children.flatMap<Nodes>((child) => (isGuess(child, source) ? child.children : [child])),
      });
    }
  };
}

/** An automatic link that is not a complete URL. */
function isGuess(node: Nodes, source: string): node is Link {
  if (node.type !== 'link') return false;
  const [first] = node.children;
  const start = node.position?.start.offset ?? first?.position?.start.offset;
  const marked = start !== undefined && (source[start] === '[' || source[start] === '<');
  return !marked && first?.type === 'text' && !/^https?:\/\//i.test(first.value);
}

/**
 * Links to our own site are plain; others get `rel="noopener nofollow ugc"`. Links within the text point to the
 * prefixed ids. Source: specification §5.
 */
export function links(context: RenderContext) {
  const is_own = new Set([new URL(context.site).host]);
  return (root: Root): void => {
    const ids = new Set<string>();
    for (const { element } of elements(root)) {
      if (typeof element.properties.id === 'string') ids.add(element.properties.id);
    }
    for (const { element } of elements(root)) {
      const { properties, tagName } = element;
      if (tagName !== 'a' && tagName !== 'area') continue;
      delete properties.rel;
      const href = typeof properties.href === 'string' ? properties.href : null;
      if (href === null) continue;
      const base = href.startsWith('#') && decoded(href.slice(1));
      if (base && ids.has(idPrefix + base)) properties.href = `#${encodeURIComponent(idPrefix + base)}`;
      const url = URL.canParse(href, context.site) ? new URL(href, context.site) : null;
      if (!url || !is_own.has(url.host)) properties.rel = ['noopener', 'nofollow', 'ugc'];
    }
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
