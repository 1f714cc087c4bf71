import type { RefusalCode } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';

/** What the text is about that an image is embedded in. Source: api-v3 §2.7. */
export const imageContexts = ['project', 'version', 'thread_message', 'report'] as const;
export type ImageContext = (typeof imageContexts)[number];

/** The item whose text embeds images. */
export interface ImageTarget {
  context: ImageContext;
  id: string;
}

/** The fields of `images` that rules use. */
export interface ClaimedImage {
  owner_id: string;
  context: string;
  /** The item that uses the image; null before the first text names it. */
  used_by: string | null;
}

/** Maximum images that one request names, and bytes of one image. Source: api-behaviours §15; api-v2 §1.8. */
export const imageLimits = { per_text: 10, bytes: 1_048_576 } as const;

/** Images without a text are deleted after this time. */
export const unused_image_ms = 24 * 3_600_000;

/**
 * Why the actor's new text may not use an image: it must be the actor's, uploaded for this kind of text and unused.
 * Naming it again for the same item changes nothing. Source: api-behaviours §15.
 */
export function whyNotClaimImage(
  image: ClaimedImage | undefined,
  actor: Actor,
  { context, id }: ImageTarget,
): RefusalCode | null {
  if (!image || image.owner_id !== actor.user_id || image.context !== context) return 'image_unknown';
  return image.used_by === null || image.used_by === id ? null : 'image_used';
}
