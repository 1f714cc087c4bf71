import { chooseColorMode, parseColorMode } from '../../cosmetics/color-mode.ts';

/** The theme button: light, or the preferred dark theme. Source: specification §4 (Cycling), §9 (Cookies). */
document.querySelector('[data-theme-cycle]')?.addEventListener('click', () => {
  const { theme, dark } = document.documentElement.dataset;
  chooseColorMode(theme === 'light' ? parseColorMode(dark ?? 'dark') : 'light');
});
