import { Refused } from '#db/platform/errors.ts';

/** Pictures that a browser may show: none of these formats can hold a script. */
const pictures: Record<string, string> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', bmp: 'image/bmp', ico: 'image/x-icon' },
};

const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

interface Offered {
  /** What the file is called when it is saved. */
  name: string;
  type: string;
  /** The page wants to show it: only pictures are not offered for saving. */
  inline: boolean;
}

/**
 * Headers of a download. The content is whatever players and programs left behind: a browser saves it and never opens it as a
 * page; only pictures are shown when a page wants to.
 */
export function downloadHeaders({ name, type, inline }: Offered): Record<string, string> {
  const picture = inline ? pictures[extensionOf(name)] : undefined;
  return {
    'content-type': picture ?? type,
    'content-disposition': contentDisposition(picture ? 'inline' : 'attachment', name),
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  };
}

/** The name for old programs in plain ASCII, and as it is. Source: RFC 6266 §4; RFC 8187 §3.2.1. */
function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\w. ()+-]/g, '_').slice(-100);
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/**
 * The bytes that a request wants of a file of `bytes` bytes, or null for all of it. A header with several parts or in another
 * unit counts as none, as it may. Refuses `range_invalid`. Source: RFC 9110 §14.
 */
export function requestedRange(
  header: string | undefined,
  bytes: number,
): { offset: number; length: number } | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const offset = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (offset > last) throw new Refused('range_invalid', { bytes });
  return { offset, length: last - offset + 1 };
}
