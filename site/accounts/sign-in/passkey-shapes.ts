import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';

/** What browsers answer with, as far as it matters here; the library checks the rest. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url');
const credential = <R extends z.ZodType>(response: R) =>
  z.object({
    id: bytes(1400).min(1),
    rawId: bytes(1400).min(1),
    type: z.literal('public-key'),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
    response,
  });

/** A passkey that was just made. */
export const newPasskeyShape = credential(
  z.object({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(65_536),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(8)
      .optional(),
  }),
).transform((given) => given as unknown as RegistrationResponseJSON);

/** The answer of a passkey. */
export const passkeyAnswerShape = credential(
  z.object({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(8192),
    signature: bytes(8192),
    userHandle: bytes(256).nullish(),
  }),
).transform((given) => given as unknown as AuthenticationResponseJSON);
