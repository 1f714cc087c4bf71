import type { Translate } from '#content/messages.ts';

/** The URL fragment of the gallery image at `position`, from 0: `picture-1` is the first. */
export const pictureTarget = (position: number): string => `picture-${position + 1}`;

/** The name of an image: its title, else its number. */
export const pictureName = (t: Translate, title: string | null, position: number): string =>
  title?.trim() || t('gallery.picture', { number: position + 1 });
