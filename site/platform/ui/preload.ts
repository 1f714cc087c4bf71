const links: Record<string, Promise<unknown>> = {};

/** Waits for a style sheet; asks for a script ahead of its import. */
const link = (file: string): Promise<unknown> =>
  (links[file] ??= new Promise((done, fail) => {
    const href = `/${file}`;
    const isStyle = href.endsWith('.css');
    if (document.querySelector(`link[href="${href}"]`)) return done(0);
    const element = Object.assign(document.createElement('link'), {
      ...{ href, rel: isStyle ? 'stylesheet' : 'modulepreload', onload: done },
      onerror() {
        // who needs it next tries again
        element.remove();
        delete links[file];
        fail(Error('Unable to preload CSS'));
      },
    });
    document.head.append(element);
    if (!isStyle) done(0);
  }));

/**
 * Loads the script of an `import()` with the `files` it needs, in place of Vite's helper of this name: the same, without
 * what is only for other ways to build. A failure is the event `vite:preloadError`, as `scripts/reload.ts` expects it.
 */
export const __vitePreload = <T>(load: () => Promise<T>, files: string[] = []): Promise<T | undefined> =>
  Promise.all(files.map(link))
    .then(load)
    .catch((payload: unknown) => {
      const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload });
      if (dispatchEvent(event)) throw payload;
      return undefined;
    });
