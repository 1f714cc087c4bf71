import { z } from 'zod';
import { idShape } from '#db/shape.ts';
import { defineForm } from '../../forms/form-definition.ts';

/** The forms of the staff's page of notices. */

const text = z.string().max(4000);
/** What a browser gives for a time without a zone; the form says that it is UTC. */
const localTime = z.union([z.literal(''), z.iso.datetime({ local: true })]).optional();

export const noticeForm = defineForm({
  action: '/_internal/notices',
  shape: z.object({
    id: z.union([z.literal(''), idShape]).optional(),
    level: text,
    title: text,
    message: text.optional(),
    url: text.optional(),
    begins: localTime,
    expires: localTime,
    dismissable: text.optional(),
    target: text.optional(),
    server_ids: text.optional(),
  }),
  fields: ['level', 'target', 'server_ids', 'title', 'message', 'url', 'begins', 'expires', 'dismissable'],
  invalid: { url: 'form.invalid_url', title: 'form.required' },
  aliases: { targets: 'server_ids' },
  errors: { notice_dates: { field: 'expires', text: 'hosting_admin.wrong_dates' } },
});

export const endNoticeForm = defineForm({
  action: '/_internal/notices/end',
  shape: z.object({ id: idShape }),
  fields: [],
  errors: {},
});
