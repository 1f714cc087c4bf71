/** The theme button: light, or the preferred dark theme. Remembered for ten years in `color-mode`. Source: spec §4, §9. */
const root = document.documentElement;
const years = 10 * 365 * 24 * 60 * 60;

document.querySelector('[data-theme-cycle]')?.addEventListener('click', () => {
  const theme = root.dataset.theme === 'light' ? (root.dataset.dark ?? 'dark') : 'light';
  root.dataset.theme = theme;
  const color = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (color) color.content = color.dataset[theme] ?? '';
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers we serve
  document.cookie = `color-mode=${theme}; path=/; max-age=${years}; samesite=lax${secure}`;
});
