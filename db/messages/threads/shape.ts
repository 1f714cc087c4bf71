import { z } from 'zod';
import { userShape } from '../../platform/people/shape.ts';
import { idShape, nonBlankText, uploadedImages } from '../../platform/shape.ts';
import { threadTypes } from './rules.ts';

/** Maximum ids and messages per answer, and bytes of one message and of all messages of an answer. */
export const limits = {
  ids: 100,
  messages: 1000,
  message_bytes: 65_536,
  answer_bytes: 16 * 1024 * 1024,
} as const;

const bodyShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    body: z.string(),
    private: z.boolean(),
    replying_to: z.string().nullable(),
    associated_images: z.array(z.string()),
  }),
  z.object({ type: z.literal('status_change'), new_status: z.string(), old_status: z.string() }),
  z.object({ type: z.literal('thread_closure') }),
  z.object({ type: z.literal('thread_reopen') }),
  z.object({ type: z.literal('deleted'), private: z.boolean() }),
]);

const message = z.object({
  id: z.string(),
  author_id: z.string().nullable(),
  body: bodyShape,
  created: z.string(),
});

const shapeWith = <M extends z.ZodType>(messages: M) =>
  z.object({
    id: z.string(),
    type: z.enum(threadTypes),
    project_id: z.string().nullable(),
    report_id: z.string().nullable(),
    messages: z.array(messages),
    members: z.array(userShape),
  });

/** A thread as v3, and v2 for a single one, answer it. Source: api-v2 §2.7; api-v3 §2.7. */
export const threadShape = shapeWith(message.extend({ hide_identity: z.boolean() })).meta({ id: 'Thread' });
export type Thread = z.output<typeof threadShape>;
export type Message = Thread['messages'][number];

/** A thread in a list of v2. Source: api-v2 §2.7. */
export const threadV2Shape = shapeWith(message).meta({ id: 'ThreadOfList' });

/** The thread as an item of a list of v2. */
export const threadV2 = (thread: Thread): z.output<typeof threadV2Shape> => ({
  ...thread,
  messages: thread.messages.map(({ hide_identity: _, ...one }) => one),
});

/** The text of a message. */
export const messageText = nonBlankText(1, limits.message_bytes).refine(
  (written) => Buffer.byteLength(written) <= limits.message_bytes,
  `must have at most ${limits.message_bytes} bytes`,
);

const text = z
  .object({
    type: z.literal('text'),
    body: messageText,
    private: z.boolean().nullish(),
    replying_to: idShape.nullish(),
    associated_images: uploadedImages.nullish(),
  })
  .meta({ id: 'NewMessage' });
export type NewText = z.output<typeof text>;

/** The body of POST /thread/{id}: the message, or an object that has it as `body`. Source: api-v2 §10; clients §10. */
export const postShape = z.preprocess((value) => {
  const inner = (value as { body?: unknown } | null)?.body;
  return typeof inner === 'object' && inner !== null ? inner : value;
}, text);
