import { z } from 'zod';
import { whyNotReplyUnwatched } from '#db/catalogue/publishing/unwatched-thread.ts';
import { postMessage } from '#db/messages/threads/post.ts';
import { removeMessage } from '#db/messages/threads/remove-message.ts';
import { limits, messageText } from '#db/messages/threads/shape.ts';
import { editReport, setReportOfThread } from '#db/moderation/reports/write.ts';
import { assertAllowed } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { localPath } from '../../platform/http/local-path.ts';
import { bytesOfText, formRoute, withQuery } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

export const replyForm = defineForm({
  action: '/_internal/threads/reply',
  shape: z.object({
    thread: idShape,
    // text areas send line ends of two characters
    reply: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n').trimEnd())
      .pipe(messageText),
    /** A note among moderators. */
    private: z.literal('on').optional(),
    /** Whether the writer knows that nobody waits for it. */
    acknowledged: z.literal('on').optional(),
    /** What happens to the report of the thread with it: moderators' second button. */
    decision: z.enum(['close', 'reopen']).optional(),
    /** The page of the thread. */
    back: z.string().max(300).default('/dashboard'),
  }),
  fields: ['reply', 'acknowledged'],
  invalid: { reply: 'threads.reply_invalid' },
  errors: {
    report_closed: 'reply',
    reply_unwatched: 'acknowledged',
    body_too_complex: 'reply',
  },
});

export const deleteMessageForm = defineForm({
  action: '/_internal/threads/delete',
  shape: z.object({ message: idShape, back: z.string().max(300).default('/dashboard') }),
  fields: [],
  errors: {},
});

/** Closes or reopens a report without a word. */
export const reportStateForm = defineForm({
  action: '/_internal/reports/state',
  shape: z.object({
    report: idShape,
    state: z.enum(['closed', 'open']),
    back: z.string().max(300).default('/moderation/reports'),
  }),
  fields: [],
  errors: {},
});

/** The forms of a thread, wherever it stands: each leads back to the page that it names. */
export function threadFormRoutes(api: Api, { sql, settings }: AppServices): void {
  const page = (given: Record<string, unknown>) =>
    localPath(typeof given.back === 'string' ? given.back : null, settings.SITE_URL, '/dashboard');

  formRoute(api, replyForm, {
    needs: ['THREAD_WRITE'],
    limit_bytes: bytesOfText(limits.message_bytes),
    page,
    async run({ actor, fields: { thread, reply, acknowledged, decision, back, ...more }, now }) {
      const id = await sql.begin(async (tx) => {
        if (!acknowledged) assertAllowed(await whyNotReplyUnwatched(tx, thread, actor));
        const message = { type: 'text' as const, body: reply, private: more.private === 'on' };
        const written = await postMessage(tx, actor, thread, message, now);
        // what closes it stands below the message
        const after = new Date(now.getTime() + 1);
        if (decision) await setReportOfThread(tx, actor, thread, decision === 'close', after);
        return written;
      });
      // another address, so that the page is loaded again
      return { to: `${withQuery(page({ back }), { written: id })}#thread-end` };
    },
  });

  formRoute(api, deleteMessageForm, {
    needs: ['THREAD_WRITE'],
    page,
    async run({ actor, fields: { message, back } }) {
      await sql.begin((tx) => removeMessage(tx, actor, message));
      return { to: `${withQuery(page({ back }), { removed: message })}#thread` };
    },
  });
  formRoute(api, reportStateForm, {
    needs: ['REPORT_WRITE'],
    page,
    async run({ actor, fields: { report, state, back }, now }) {
      await sql.begin((tx) => editReport(tx, actor, report, { closed: state === 'closed' }, now));
      return { to: `${withQuery(page({ back }), { state })}#thread-end` };
    },
  });
}
