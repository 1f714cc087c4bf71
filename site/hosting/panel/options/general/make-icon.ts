import { icon_px, max_icon_bytes } from '#db/hosting/servers/icon/rules.ts';

/** Makes an icon of any picture that the browser can read. */

/** Most bytes of a picture that is tried. */
const max_picture_bytes = 32 * 1024 * 1024;

export class PictureError extends Error {
  readonly why: 'unreadable' | 'too_large';
  constructor(why: 'unreadable' | 'too_large') {
    super(why);
    this.why = why;
  }
}

/**
 * The middle of a picture as a PNG of 64 x 64, in Base64. `picture`: a file, or an address of this site or its files. A picture
 * smaller than that keeps its hard edges. Throws `PictureError`.
 */
export async function makeIcon(picture: Blob | string): Promise<string> {
  if (picture instanceof Blob && picture.size > max_picture_bytes) throw new PictureError('too_large');
  const bitmap = await (picture instanceof Blob ? createImageBitmap(picture) : fromAddress(picture)).catch(
    () => null,
  );
  if (!bitmap) throw new PictureError('unreadable');
  const width = bitmap instanceof ImageBitmap ? bitmap.width : bitmap.naturalWidth;
  const height = bitmap instanceof ImageBitmap ? bitmap.height : bitmap.naturalHeight;
  const side = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = icon_px;
  const surface = canvas.getContext('2d');
  if (!surface || side === 0) throw new PictureError('unreadable');
  surface.imageSmoothingEnabled = side > icon_px;
  surface.imageSmoothingQuality = 'high';
  surface.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side, 0, 0, icon_px, icon_px);
  if (bitmap instanceof ImageBitmap) bitmap.close();
  const png = canvas.toDataURL('image/png').split(',')[1] ?? '';
  if (png === '' || png.length > (max_icon_bytes / 3) * 4) throw new PictureError('too_large');
  return png;
}

async function fromAddress(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  // files may be at another origin, which allows this
  image.crossOrigin = 'anonymous';
  image.src = address;
  await image.decode();
  // a drawing has no size of its own
  return image.naturalWidth > 0 ? image : Promise.reject(new PictureError('unreadable'));
}
