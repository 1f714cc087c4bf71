import { copiesOf } from '#db/platform/files/image-copies.ts';

/** The `srcset` of a stored image by the URL of its smallest copy; undefined for an original, such as a GIF. */
export const srcSetOf = (url: string): string | undefined =>
  copiesOf(url)
    .map(({ name, width }) => `${name} ${width}w`)
    .join(', ') || undefined;

/** The `sizes` of an image in a list of tiles: at most 20rem wide, on a phone as wide as the page. */
export const tileSizes = '(max-width: 40rem) calc(100vw - 2rem), 20rem';
