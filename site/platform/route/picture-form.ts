import { z } from 'zod';
import { messages } from '#content/messages.ts';
import { type RefusalCode, Refused } from '#db/platform/errors.ts';
import { type ProcessedImage, processBanner, processGallery, processIcon } from '#db/platform/files/image.ts';
import { extensionOf, imageBytes, imageExtensions, isImageExtension } from '#db/platform/files/rules.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import { formCookie } from '../forms/form-cookie.ts';
import { errorsOfRefusal, type FormDefinition } from '../forms/form-definition.ts';
import { signInPath } from '../paths/sign-in-path.ts';
import { eachPart } from '../upload/upload-parts.ts';
import { errorResponse } from './error-response.ts';
import { localeOf, withLanguage, withQuery } from './form.ts';
import { assertFromOwnPage, authorize, type Scopes } from './guard.ts';
import type { Api } from './types.ts';

const max_text_bytes = 1024;

/** A form that sends one picture, or removes it: `PicturePicker.astro`. */
export const definePictureForm = (action: string): FormDefinition => ({
  action,
  shape: z.object({}),
  fields: ['picture'],
  errors: {
    invalid_image: 'picture',
    icon_too_large: 'picture',
    gallery_image_too_large: { field: 'picture', text: 'gallery.too_large' },
    gallery_picture_repeated: 'picture',
    gallery_full: 'picture',
    invalid_input: { field: 'picture', text: 'form.picture_missing' },
  },
});

interface PictureRoute<Image> {
  /** The value of `saved` in the address that it then leads to; `1` by default. */
  saved?: string;
  needs: Scopes;
  page(id: string): string;
  /** Stores the picture, or removes it (null); `id` is the hidden field of that name. */
  set(actor: Actor, id: string, image: Image | null): Promise<void>;
}

/** How large a picture of a kind may be, what makes its copies, and the refusal of a larger one. */
interface PictureKind<Image> {
  max_bytes: number;
  limit: string;
  too_large: RefusalCode;
  process(bytes: Buffer, extension: string): Promise<Image>;
}
const icon: PictureKind<ProcessedImage & { color: number }> = {
  max_bytes: imageBytes.icon,
  limit: '256KiB',
  too_large: 'icon_too_large',
  process: processIcon,
};
const gallery: PictureKind<ProcessedImage> = {
  max_bytes: imageBytes.gallery,
  limit: '5MiB',
  too_large: 'gallery_image_too_large',
  process: processGallery,
};

const banner: PictureKind<ProcessedImage> = { ...gallery, process: processBanner };

/** The route of a form with an icon: `imageFormRoute`, with at most 256 KiB. */
export const pictureFormRoute = (
  api: Api,
  form: FormDefinition,
  route: PictureRoute<ProcessedImage & { color: number }>,
): void => imageFormRoute(api, form, icon, route);

/** The route of a form with a gallery image: `imageFormRoute`, with at most 5 MiB. */
export const galleryFormRoute = (api: Api, form: FormDefinition, route: PictureRoute<ProcessedImage>): void =>
  imageFormRoute(api, form, gallery, route);

/** The route of a form with a banner: `imageFormRoute`, with at most 5 MiB. */
export const bannerFormRoute = (api: Api, form: FormDefinition, route: PictureRoute<ProcessedImage>): void =>
  imageFormRoute(api, form, banner, route);

/**
 * The route of a form with a picture, sent as a plain form by browsers with and without scripts: redirects (303) to its
 * page with `?saved=1`, or with `?error=code` and what was wrong in a cookie. Refuses as `formRoute` does, and
 * `icon_too_large`, `gallery_image_too_large`, `invalid_image`, `invalid_input` (no picture) and what `set` refuses.
 */
function imageFormRoute<Image>(
  api: Api,
  form: FormDefinition,
  kind: PictureKind<Image>,
  { needs, page, set, saved = '1' }: PictureRoute<Image>,
): void {
  api.post(form.action.replace('/_internal', ''), async (c) => {
    const { settings, now } = c.get('services');
    c.header('cache-control', 'private, no-store');
    const given = { id: '', hl: '' };
    try {
      assertFromOwnPage(c.req.raw, settings.SITE_URL);
      const actor = await authorize(c, needs, now());
      const sent = await partsOf(c.req.raw, settings.UPLOAD_MIN_BYTES_PER_SECOND, given, kind);
      if (!sent.remove && sent.picture.length === 0) throw new Refused('invalid_input', { problem: '' });
      await set(actor, given.id, sent.remove ? null : await kind.process(sent.picture, sent.extension));
      return c.redirect(withLanguage(withQuery(page(given.id), { saved }), given), 303);
    } catch (error) {
      const refused = toRefused(error);
      if (!refused) return errorResponse(c, error, { create_errors: false });
      const back = page(given.id);
      if (refused.code === 'authentication_required')
        return c.redirect(withLanguage(signInPath(withLanguage(back, given)), given), 303);
      const { t } = messages(localeOf(c.req.raw, given));
      const wrong = { action: form.action, errors: errorsOfRefusal(form, refused, t), values: {} };
      c.header('set-cookie', formCookie(wrong, settings.SITE_URL), { append: true });
      return c.redirect(withLanguage(withQuery(back, { error: refused.code }), given), 303);
    }
  });
}

/** The parts of the form; fills `given` as they arrive, so that a refused picture still leads back to its page. */
async function partsOf(
  request: Request,
  bytes_per_second: number,
  given: { id: string; hl: string },
  { max_bytes, limit, too_large }: PictureKind<unknown>,
) {
  const sent = { picture: Buffer.alloc(0), extension: '', remove: false };
  await eachPart(request, { bytes_per_second }, async ({ name, filename = '', chunks }) => {
    const max = name === 'picture' ? max_bytes : max_text_bytes;
    const read: Buffer[] = [];
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > max) throw new Refused(too_large, { filename, limit, limit_bytes: max_bytes });
      read.push(chunk);
    }
    const bytes = Buffer.concat(read);
    if (name === 'id' || name === 'hl') given[name] = bytes.toString('utf8');
    if (name === 'remove') sent.remove = true;
    if (name !== 'picture' || size === 0) return;
    sent.picture = bytes;
    sent.extension = extensionOf(filename).toLowerCase();
    if (!isImageExtension(sent.extension))
      throw new Refused('invalid_image', { problem: `use ${Object.keys(imageExtensions).join(', ')}` });
  });
  return sent;
}
