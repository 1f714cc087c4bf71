import { z } from 'zod';
import { roles } from './rules.ts';

/** A user as a v2 response; private fields are null except for the user and admins. Source: api-v2 §2.3. */
export const userShape = z
  .object({
    id: z.string(),
    username: z.string(),
    name: z.null(),
    avatar_url: z.string().nullable(),
    bio: z.string().nullable(),
    created: z.string(),
    role: z.enum(roles),
    badges: z.int(),
    auth_providers: z.array(z.string()).nullable(),
    email: z.string().nullable(),
    email_verified: z.boolean().nullable(),
    has_password: z.boolean().nullable(),
    has_totp: z.boolean().nullable(),
    payout_data: z
      .object({
        paypal_address: z.string().nullable(),
        paypal_country: z.string().nullable(),
        venmo_handle: z.string().nullable(),
        balance: z.number(),
      })
      .nullable(),
    github_id: z.int().nullable(),
  })
  .meta({ id: 'User' });

export type User = z.output<typeof userShape>;

/** Source: api-v3 §4.1. */
export const sessionShape = z
  .object({
    id: z.string(),
    session: z.string().nullable(),
    user_id: z.string(),
    created: z.string(),
    last_login: z.string(),
    expires: z.string(),
    refresh_expires: z.string(),
    os: z.string().nullable(),
    platform: z.string().nullable(),
    user_agent: z.string().nullable(),
    city: z.string().nullable(),
    country: z.string().nullable(),
    ip: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
