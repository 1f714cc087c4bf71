/** The color of browser bars in each theme: the `--bg` of `css/tokens.css`. */
export const themeBackgrounds = {
  dark: '#161714',
  light: '#f6f4ed',
  oled: '#000000',
  retro: '#1f1912',
} as const;
