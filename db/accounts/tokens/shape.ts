import { z } from 'zod';
import { oneLineText } from '../../platform/shape.ts';

/** A personal access token; `access_token` only in the answer that creates it. Source: api-v3 §4.2. */
export const tokenShape = z
  .object({
    id: z.string(),
    name: z.string(),
    access_token: z.string().nullable(),
    /** Bits of api-v3 §4.3. */
    scopes: z.int(),
    user_id: z.string(),
    created: z.string(),
    expires: z.string(),
    last_used: z.string().nullable(),
  })
  .meta({ id: 'PersonalAccessToken' });

export type PersonalAccessToken = z.output<typeof tokenShape>;

const name = oneLineText(3, 255);
/** Unknown bits are dropped, as in tokens that exist. */
const scopes = z.int().min(0);
const expires = z.iso.datetime({ offset: true });

export const newTokenShape = z.object({ name, scopes, expires });
export const tokenEditShape = newTokenShape.partial();
