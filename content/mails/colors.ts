/** The colors of mails: those of the site’s light and dark theme, which mail programs know by value only. */
export const light = {
  ground: '#f6f4ed',
  paper: '#fdfcf8',
  line: '#e0dcd0',
  ink: '#21221c',
  ink2: '#4b4c42',
  ink3: '#626356',
  accent: '#dbc93f',
  onAccent: '#1d1b09',
  link: '#635800',
  stone: '#878474',
} as const;

const dark: Record<keyof typeof light, string> = {
  ground: '#161714',
  paper: '#1d1e1a',
  line: '#2f302a',
  ink: '#efeee6',
  ink2: '#bfbeb1',
  ink3: '#9c9b8d',
  accent: '#d8c751',
  onAccent: '#1d1b09',
  link: '#dccd66',
  stone: '#77796b',
};

/** For programs that know the reader’s theme; all others show the light one, which stands in the elements. */
export const darkRules = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: ${dark.ground} !important; }
  .paper { background: ${dark.paper} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .ink2 { color: ${dark.ink2} !important; }
  .ink3 { color: ${dark.ink3} !important; }
  .link { color: ${dark.link} !important; }
  .line { border-color: ${dark.line} !important; }
  .button { background: ${dark.accent} !important; color: ${dark.onAccent} !important; }
  .stone { background: ${dark.stone} !important; }
  .top { background: ${dark.accent} !important; }
}
@media (max-width: 620px) { .paper { padding: 24px 20px !important; } }
`;
