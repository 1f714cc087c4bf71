/** Five tones of one mineral, dark to light. */
export type Palette = readonly [string, string, string, string, string];

/** Sixteen mineral palettes. Source: looks §8. */
export const palettes = {
  basalt: ['#23241f', '#3d3f37', '#62645a', '#94958a', '#dedbcb'],
  lichen: ['#2a2b18', '#55572a', '#8e8b39', '#cdbf4f', '#f1eab2'],
  slate: ['#1a252e', '#2e4250', '#4d6979', '#88a5b1', '#d9e4e4'],
  copper: ['#2a1c17', '#5b3223', '#9a543a', '#d08b5c', '#f2d5b0'],
  malachite: ['#12251e', '#1f4a3b', '#36745c', '#72a98a', '#d1e5ce'],
  heather: ['#251f2b', '#463b53', '#71617f', '#a797ae', '#e5dce3'],
  lapis: ['#161f33', '#283b62', '#48649b', '#8aa4c7', '#dde5ee'],
  quartz: ['#2d1e20', '#5d393c', '#98625f', '#ce9b90', '#f4ded2'],
  ochre: ['#2b210f', '#5e4516', '#9b7424', '#d3a646', '#f4e0aa'],
  ice: ['#1f3039', '#3f6373', '#709ca9', '#acced2', '#ecf5f3'],
  cinnabar: ['#2b1512', '#65271d', '#a5402e', '#d57c5b', '#f4cfb6'],
  peat: ['#1e1712', '#3e2f23', '#685141', '#9f8369', '#dfceb5'],
  moss: ['#1c2314', '#394925', '#647a3c', '#9bb068', '#dfe6b9'],
  dusk: ['#22223a', '#4a3e5f', '#8b5b6f', '#d18c73', '#f4d2a0'],
  dawn: ['#22334a', '#4c6a86', '#8fa0a6', '#e4ba8d', '#f8e8c8'],
  fjord: ['#0f2430', '#1d4a57', '#3f7d80', '#c2b280', '#f0e6c6'],
} as const satisfies Record<string, Palette>;
/** The same tones, light to dark. */
export const reversed = (p: Palette): Palette => [p[4], p[3], p[2], p[1], p[0]];

export type PaletteName = keyof typeof palettes;
export const paletteNames = Object.keys(palettes) as PaletteName[];

/** The tint colour of a project page, as 24-bit number: the fourth tone of its palette. */
export const tint = (name: PaletteName): number => Number.parseInt(palettes[name][3].slice(1), 16);
