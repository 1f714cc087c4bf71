import type { Element, Root } from 'hast';
import { elements, textOf } from './traverse.ts';

const videoHosts = new Set([
  'youtube.com',
  'www.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
]);

/**
 * The URL of an embedded video or chat widget, rebuilt from its parts so that nothing else of the input survives; null
 * for anything else. Videos use the host without cookies. Source: specification §5 (Iframe).
 */
function embedAddress(text: string): { src: string; title: string } | null {
  if (!URL.canParse(text, 'https://invalid')) return null;
  const url = new URL(text, 'https://invalid');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const video = /^\/embed\/([A-Za-z0-9_-]{11})$/.exec(url.pathname)?.[1];
  if (video && videoHosts.has(url.host)) {
    const params = ['start', 'end'].flatMap((name) => {
      const value = url.searchParams.get(name);
      return value && /^\d{1,9}$/.test(value) ? [`${name}=${value}`] : [];
    });
    const query = params.length > 0 ? `?${params.join('&')}` : '';
    return { src: `https://www.youtube-nocookie.com/embed/${video}${query}`, title: 'YouTube' };
  }
  const chat = url.searchParams.get('id');
  if (url.host === 'discord.com' && url.pathname === '/widget' && chat && /^\d{18,19}$/.test(chat)) {
    return { src: `https://discord.com/widget?id=${chat}`, title: 'Discord' };
  }
  return null;
}

/** Keeps allowed embeds and removes other iframes; labels check boxes with the text next to them. */
export function embeds() {
  return (root: Root): void => {
    for (const { element, parent } of elements(root)) {
      if (element.tagName === 'input') element.properties.ariaLabel = textOf(parent, 80) || '☐';
      if (element.tagName !== 'iframe') continue;
      const embed = embedAddress(String(element.properties.src ?? ''));
      if (!embed) {
        parent.children = (parent.children as Element[]).filter((child) => child !== element);
        continue;
      }
      Object.assign(element.properties, embed, {
        loading: 'lazy',
        sandbox: ['allow-scripts', 'allow-same-origin', 'allow-popups', 'allow-presentation'],
      });
      element.children = [];
    }
  };
}
