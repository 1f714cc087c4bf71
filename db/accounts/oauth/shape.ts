import { z } from 'zod';
import { boundedText, linesText, oneLineText } from '../../platform/shape.ts';
import { max_redirect_uris } from './rules.ts';

/** An app as everybody sees it. Source: api-v3 §3.11. */
export const clientShape = z
  .object({
    id: z.string(),
    name: z.string(),
    icon_url: z.string().nullable(),
    /** Bits of api-v3 §4.3. */
    max_scopes: z.int(),
    redirect_uris: z.array(z.object({ id: z.string(), client_id: z.string(), uri: z.string() })),
    created_by: z.string(),
    created: z.string(),
    url: z.string().nullable(),
    description: z.string().nullable(),
  })
  .meta({ id: 'OAuthClient' });
export type OAuthClient = z.output<typeof clientShape>;

/** A new app: the only answer with its secret, which is null for an app that can keep none. */
export const createdClientShape = clientShape
  .extend({ client_secret: z.string().nullable() })
  .meta({ id: 'CreatedOAuthClient' });
export type CreatedClient = z.output<typeof createdClientShape>;

export const authorizationShape = z
  .object({
    id: z.string(),
    app_id: z.string(),
    user_id: z.string(),
    scopes: z.int(),
    created: z.string(),
  })
  .meta({ id: 'OAuthAuthorization' });
export type OAuthAuthorization = z.output<typeof authorizationShape>;

const web = (text: string) =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) && !/\s/.test(text);

const fields = {
  name: oneLineText(3, 255),
  max_scopes: z.int().min(0),
  redirect_uris: z.array(boundedText(1, 2000)).max(max_redirect_uris),
  url: boundedText(1, 255).refine(web, 'must be a web address').nullish(),
  description: linesText(0, 255).nullish(),
};

/** `public` is ours: an app that can keep no secret, such as one on the devices of its users. */
export const newClientShape = z.object({ ...fields, public: z.boolean().default(false) });
export type NewClient = z.output<typeof newClientShape>;

export const clientEditShape = z.object(fields).partial();
export type ClientEdit = z.output<typeof clientEditShape>;
