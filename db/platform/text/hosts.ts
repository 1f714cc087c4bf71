/**
 * Image hosts that are loaded directly, besides our own; all others go through the image proxy. Includes badge
 * services, because they serve SVG, which the proxy refuses. The page's `img-src` must allow them.
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

/** Hosts of embedded videos and chat widgets; the page's `frame-src`. */
export const embedHosts = ['www.youtube-nocookie.com', 'discord.com'] as const;
