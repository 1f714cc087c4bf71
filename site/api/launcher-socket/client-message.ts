import { z } from 'zod';

/** A name longer than this, in bytes, closes the connection. Source: api-v3 §7.1. */
const max_name_bytes = 64;

const shape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('status_update'),
    profile_name: z
      .string()
      .refine(
        (name) => Buffer.byteLength(name) <= max_name_bytes && name.isWellFormed() && !name.includes('\0'),
      )
      .nullable()
      .default(null),
  }),
  z.object({ type: z.literal('socket_listen'), socket: z.string().max(64) }),
  z.object({ type: z.literal('socket_close'), socket: z.string().max(64) }),
]);
export type ClientMessage = z.output<typeof shape>;

/** The message of a text frame; null when it is none of ours. */
export function clientMessage(text: string): ClientMessage | null {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
