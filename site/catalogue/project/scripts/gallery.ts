import type { Lightbox } from './lightbox.ts';

/**
 * Opens gallery images in a lightbox, with the fragment `#picture-3` for the third: it can be linked, and Back closes
 * it. The lightbox code is loaded with the first image; without it the images are links to the originals.
 */
const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-gallery] [data-picture]')];
let box: Lightbox | null = null;

/** The position of the image that the fragment names, null when it names none. */
function named(): number | null {
  const number = Number(/^#picture-(\d{1,4})$/.exec(location.hash)?.[1]);
  return number >= 1 && number <= links.length ? number - 1 : null;
}

const fragment = (place: number) => `#picture-${place + 1}`;

async function load(): Promise<Lightbox> {
  if (box) return box;
  const { lightbox } = await import('./lightbox.ts');
  box ??= lightbox(links, {
    turned: (place) => history.replaceState(history.state, '', fragment(place)),
    closed() {
      if (named() === null) return;
      // the previous history entry is this page without an image, unless the image's own address was opened directly
      if (history.state?.gallery) history.back();
      else history.replaceState(null, '', location.pathname + location.search);
    },
  });
  return box;
}

/** Shows what the current address says, even if it changed while the script was loading. */
async function follow(): Promise<void> {
  if (named() !== null) await load();
  const place = named();
  if (place === null) box?.close();
  else box?.show(place);
}

for (const [place, link] of links.entries()) {
  link.setAttribute('aria-haspopup', 'dialog');
  link.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState({ gallery: true }, '', fragment(place));
    follow().catch(() => location.assign(link.href));
  });
}
addEventListener('hashchange', () => void follow());
document
  .querySelector('[data-gallery]')
  ?.addEventListener('pointerenter', () => void load().catch(() => {}), { once: true });
void follow();
