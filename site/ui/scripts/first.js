(() => {
  const cookie = (name) => decodeURIComponent(document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1] ?? '');
  const darks = ['dark', 'oled', 'retro'];
  let chosen = 'dark';
  try {
    chosen = JSON.parse(cookie('cosmetics') || '{}').preferredDarkTheme ?? 'dark';
  } catch {}
  if (!darks.includes(chosen)) {
    console.warn(`Unknown dark theme "${chosen}", showing "dark".`);
    chosen = 'dark';
  }
  const mode = cookie('color-mode');
  const system = matchMedia('(prefers-color-scheme: light)');
  const root = document.documentElement;
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
