(() => {
  const root = document.documentElement;
  const cookie = (name) => {
    try {
      return decodeURIComponent(document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1] ?? '');
    } catch {
      return '';
    }
  };
  let liked;
  try {
    liked = Object(JSON.parse(cookie('cosmetics') || '{}'));
  } catch {
    liked = {};
  }
  const set = (name, value) => root.hasAttribute(`data-${name}`) && root.setAttribute(`data-${name}`, value);
  for (const [type, mode] of Object.entries(Object(liked.searchDisplayMode)))
    if (['list', 'grid', 'gallery'].includes(mode)) set(`display-${type}`, mode);
  if (liked.rightSearchLayout === true) set('filters', 'end');
  if (liked.leftContentLayout === true) set('sidebar', 'start');
  if (liked.advancedRendering === false) set('rendering', 'plain');
  if (liked.externalLinksNewTab === false) set('external-links', 'same');
  if (liked.hideStagingBanner === true) set('staging-banner', 'hidden');
  if ((liked.hideCairnAppPromos ?? liked.hideModrinthAppPromos) === true) set('app-promos', 'hidden');

  const darks = ['dark', 'oled', 'retro'];
  let chosen = liked.preferredDarkTheme ?? 'dark';
  if (!darks.includes(chosen)) {
    console.warn(`Unknown dark theme "${chosen}", showing "dark".`);
    chosen = 'dark';
  }
  const mode = cookie('color-mode');
  const system = matchMedia('(prefers-color-scheme: light)');
  const show = () => {
    const light = mode === 'light' || (!darks.includes(mode) && system.matches);
    const theme = light ? 'light' : darks.includes(mode) ? mode : chosen;
    root.dataset.theme = theme;
    root.dataset.dark = chosen;
    const color = document.querySelector('meta[name=theme-color]');
    if (color) color.content = color.dataset[theme];
  };
  show();
  if (mode !== 'light' && !darks.includes(mode)) system.addEventListener('change', show);
})();
