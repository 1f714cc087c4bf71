import type { Translate } from '#content/messages.ts';

/** The fragment of the picture at this place of a gallery, counted from 0: `picture-1` is the first. */
export const pictureTarget = (position: number): string => `picture-${position + 1}`;

/** What a picture is called: its title, else its number. */
export const pictureName = (t: Translate, title: string | null, position: number): string =>
  title?.trim() || t('gallery.picture', { number: position + 1 });
