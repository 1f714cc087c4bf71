interface Loadable {
  /** Shows the thumbnail of a gallery link at once, then the original; preloads `next` afterwards. */
  show(link: HTMLAnchorElement, next: readonly string[]): void;
}

/** Loads originals into `image`; shows `failed` when one does not load, and calls `loaded` when it does. */
export function loadable(
  stage: HTMLElement,
  image: HTMLImageElement,
  failed: HTMLElement,
  loaded: () => void,
): Loadable {
  let requested: HTMLImageElement | null = null;
  return {
    show(link, next) {
      const small = link.querySelector('img')!;
      const full = new Image();
      requested = full;
      stage.ariaBusy = 'true';
      failed.hidden = true;
      image.hidden = false;
      image.alt = small.alt;
      image.dataset.state = 'small';
      image.src = small.currentSrc || small.src;
      full.src = link.href;
      const settled = (state: 'loaded' | 'failed') => {
        if (requested !== full) return; // another image is shown by now
        stage.ariaBusy = null;
        image.dataset.state = state;
        image.hidden = state === 'failed';
        failed.hidden = state === 'loaded';
        if (state === 'failed') return;
        image.src = full.src;
        loaded();
        for (const url of next) new Image().src = url;
      };
      full.decode().then(
        () => settled('loaded'),
        () => settled('failed'),
      );
    },
  };
}
