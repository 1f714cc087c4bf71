/**
 * Hosts whose pictures are shown from where they are, besides our own; all others come through the image proxy.
 * Badge makers are here because they draw SVG, which the proxy refuses. The page's `img-src` must allow them.
 * Source: specification §5 (fixed trusted host list).
 */
export const mediaHosts = [
  'bstats.org',
  'cf.way2muchnoise.eu',
  'github.com',
  'i.imgur.com',
  'img.shields.io',
  'raw.githubusercontent.com',
  'user-images.githubusercontent.com',
] as const;

/** Where embedded videos and chat widgets come from; the page's `frame-src`. */
export const embedHosts = ['www.youtube-nocookie.com', 'discord.com'] as const;
