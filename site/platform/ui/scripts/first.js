(() => {
  // The network changes while scripts wait for a connection (another Wi-Fi, a container that starts): the browser drops
  // them and never asks again. The page is loaded once more, under the guard of `reload-guard.ts`.
  const lost = (event) => {
    const isOurs = event.target.matches?.('script[src^="/_astro/"], link[rel=stylesheet][href^="/_astro/"]');
    if (!isOurs || !navigator.onLine) return;
    try {
      const name = `reloaded:${location.pathname}`;
      if (Date.now() - sessionStorage.getItem(name) < 10_000) return;
      sessionStorage.setItem(name, Date.now());
      location.reload();
    } catch {}
  };
  addEventListener('error', lost, true);

  // Pressed before its script has come: that script does it (`browser/early-press.ts`). Modules run before the document is
  // complete.
  const press = ({ target }) =>
    target.closest?.('[data-save], [data-follow]')?.setAttribute('data-pressed', '');
  addEventListener('click', press);
  addEventListener('DOMContentLoaded', () => removeEventListener('click', press));

  // a transition that the next navigation aborts is nothing that went wrong
  const ignore = ({ viewTransition }) => {
    for (const end of ['updateCallbackDone', 'ready', 'finished']) viewTransition?.[end].catch(() => {});
  };
  addEventListener('pageswap', ignore);
  addEventListener('pagereveal', ignore);

  const root = document.documentElement;
  const usual = {};
  const set = (name, value) => {
    const key = `data-${name}`;
    if (!root.hasAttribute(key)) return;
    usual[key] ??= root.getAttribute(key);
    root.setAttribute(key, value || usual[key]);
  };
  const cookie = (name) => {
    try {
      return decodeURIComponent(document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1] ?? '');
    } catch {
      return '';
    }
  };
  const preferences = () => {
    try {
      return Object(JSON.parse(cookie('cosmetics') || '{}'));
    } catch {
      return {};
    }
  };
  try {
    const last = localStorage.getItem('viewer');
    if (last) root.dataset.viewer = 'person';
    for (const name of ['unpaid', 'unverified'])
      if (last?.includes(`"${name}":true`)) root.dataset[name] = '';
  } catch {}

  const darks = ['dark', 'oled', 'retro'];
  const system = matchMedia('(prefers-color-scheme: light)');
  const show = () => {
    const liked = preferences();
    const displays = Object(liked.searchDisplayMode);
    for (const { name } of [...root.attributes]) {
      const type = name.split('data-display-')[1];
      if (type)
        set(
          `display-${type}`,
          ['list', 'grid', 'gallery'].find((mode) => mode === displays[type]),
        );
    }
    set('filters', liked.rightSearchLayout === true && 'end');
    set('sidebar', liked.leftContentLayout === true && 'start');
    set('rendering', liked.advancedRendering === false && 'plain');
    set('external-links', liked.externalLinksNewTab === false && 'same');
    set('staging-banner', liked.hideStagingBanner === true && 'hidden');
    set('app-promos', (liked.hideCairnAppPromos ?? liked.hideModrinthAppPromos) === true && 'hidden');

    let chosen = liked.preferredDarkTheme ?? 'dark';
    if (!darks.includes(chosen)) {
      console.warn(`Unknown dark theme "${chosen}", showing "dark".`);
      chosen = 'dark';
    }
    const mode = cookie('color-mode');
    const light = mode === 'light' || (!darks.includes(mode) && system.matches);
    const theme = light ? 'light' : darks.includes(mode) ? mode : chosen;
    root.dataset.theme = theme;
    root.dataset.dark = chosen;
    const color = document.querySelector('meta[name=theme-color]');
    if (color) color.content = color.dataset[theme];
  };
  show();
  system.addEventListener('change', show);
  addEventListener('cosmetics', show);
  addEventListener('pageshow', ({ persisted }) => persisted && show());
})();
