import { loadable } from './full-picture.ts';
import { swipes } from './swipe.ts';
import { zoomable } from './zoom.ts';

export interface Lightbox {
  /** Opens the lightbox, or switches to another image; positions count from 0. */
  show(index: number): void;
  /** Closes it and returns the focus to the thumbnail. */
  close(): void;
}

interface LightboxEvents {
  turned(index: number): void;
  closed(): void;
}

/** The lightbox dialog for a gallery with these links to the originals. */
export function lightbox(links: readonly HTMLAnchorElement[], events: LightboxEvents): Lightbox {
  const dialog = document.querySelector<HTMLDialogElement>('[data-lightbox]')!;
  const part = <E extends HTMLElement>(name: string) => dialog.querySelector<E>(`[data-${name}]`)!;
  const films = [...dialog.querySelectorAll<HTMLElement>('[data-film]')];
  const stage = part('stage');
  const image = part<HTMLImageElement>('full');
  const rtl = document.documentElement.dir === 'rtl';
  let index = 0;

  const zoom = zoomable(stage, image, part<HTMLButtonElement>('zoom'), () => dialog.close());
  const picture = loadable(stage, image, part('failed'), zoom.loaded);
  const turn = (by: number) => {
    show((index + by + links.length) % links.length);
    events.turned(index);
  };
  const goTo = (to: number) => turn(to - index);

  function show(to: number): void {
    index = to;
    const link = links[index]!;
    if (!dialog.open) open();
    zoom.off();
    picture.show(link, [at(index + 1), at(index - 1)]);
    part('counter').textContent = link.dataset.counter!;
    part('name').textContent = link.querySelector('img')!.alt;
    part<HTMLAnchorElement>('original').href = link.href;
    part('copy').dataset.copy = location.href.replace(/#.*|$/, `#picture-${index + 1}`);
    const caption = link.closest('figure')!.querySelector('figcaption')!;
    part('caption').replaceChildren(...caption.cloneNode(true).childNodes);
    for (const [number, film] of films.entries()) {
      if (number === index) film.setAttribute('aria-current', 'true');
      else film.removeAttribute('aria-current');
    }
    films[index]?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
  const at = (to: number): string => links[(to + links.length) % links.length]!.href;

  function open(): void {
    dialog.showModal();
    (dialog.querySelector<HTMLElement>('[data-turn="1"]') ?? part('close')).focus();
  }

  const close = () => {
    if (dialog.open) dialog.close();
    else if (document.activeElement === links[index]) links[index]!.scrollIntoView({ block: 'nearest' });
  };

  dialog.addEventListener('close', () => {
    links[index]!.focus();
    events.closed();
  });
  part('close').addEventListener('click', () => dialog.close());
  part('again').addEventListener('click', () => show(index));
  for (const button of dialog.querySelectorAll<HTMLElement>('[data-turn]'))
    button.addEventListener('click', () => turn(Number(button.dataset.turn)));
  for (const [number, film] of films.entries())
    film.addEventListener('click', (event) => {
      event.preventDefault();
      goTo(number);
    });
  swipes(stage, image, {
    may: () => links.length > 1 && !zoom.isOn(),
    swiped: (to) => turn((to === 'left') === rtl ? -1 : 1),
  });

  const keys: Record<string, () => void> = {
    ArrowLeft: () => turn(rtl ? 1 : -1),
    ArrowRight: () => turn(rtl ? -1 : 1),
    Home: () => goTo(0),
    End: () => goTo(links.length - 1),
    z: zoom.toggle,
    Z: zoom.toggle,
  };
  // on the document: a click on the background moves the focus out of the dialog's elements
  document.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!dialog.open || event.altKey || event.ctrlKey || event.metaKey) return;
    if (zoom.pan(event.key)) event.preventDefault();
    else if (act) {
      event.preventDefault();
      act();
    }
  });
  return { show, close };
}
