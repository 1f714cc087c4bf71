import { z } from 'zod';
import { whyNotManageNotices } from '#db/hosting/notices/rules.ts';
import { type NoticeInput, noticeInput } from '#db/hosting/notices/shape.ts';
import { createNotice, editNotice, endNotice } from '#db/hosting/notices/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { parse } from '../../platform/route/endpoint.ts';
import { formRoute, type GivenFields } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

const text = z.string().max(4000);
/** What a browser gives for a time without a zone; the form says that it is UTC. */
const localTime = z.union([z.literal(''), z.iso.datetime({ local: true })]).optional();

export const noticeForm = defineForm({
  action: '/_internal/notices',
  shape: z
    .object({
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
      confirmed: text.optional(),
    })
    // nobody interrupts everybody by a slip
    .refine(
      ({ level, target = 'all', confirmed }) =>
        level !== 'critical' || target !== 'all' || confirmed === 'on',
      { path: ['confirmed'] },
    ),
  fields: [
    ...['level', 'target', 'server_ids', 'title', 'message', 'url', 'begins', 'expires', 'dismissable'],
    'confirmed',
  ],
  invalid: {
    url: 'form.invalid_url',
    title: 'form.required',
    confirmed: 'hosting_admin.confirm_everybody_wrong',
  },
  aliases: { targets: 'server_ids' },
  errors: { notice_dates: { field: 'expires', text: 'hosting_admin.wrong_dates' } },
});

export const endNoticeForm = defineForm({
  action: '/_internal/notices/end',
  shape: z.object({ id: idShape }),
  fields: [],
  errors: {},
});

const notices_page = '/admin/servers/notices';
const done = (what: 'published' | 'changed' | 'ended') => ({ to: `${notices_page}?done=${what}` });

/** The forms of the notices screen. */
export function noticeRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, noticeForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotManageNotices },
    page: ({ id }: GivenFields) =>
      typeof id === 'string' && id !== '' ? `${notices_page}?edit=${encodeURIComponent(id)}` : notices_page,
    async run({ actor, fields, now }) {
      const { id, target, server_ids, confirmed: _, ...rest } = fields;
      const input = parse(noticeInput, {
        level: rest.level,
        title: rest.title,
        message: (rest.message ?? '').replaceAll('\r\n', '\n'),
        url: rest.url || null,
        begins: instant(rest.begins) ?? now.toISOString(),
        expires: instant(rest.expires),
        dismissable: rest.dismissable === 'on',
        targets: targetsOf(target, server_ids),
      }) as NoticeInput;
      const notice_id = await sql.begin(async (tx) => {
        if (!id) return await createNotice(tx, actor, input, now);
        await editNotice(tx, actor, id, input, now);
        return id;
      });
      return { ...done(id ? 'changed' : 'published'), answer: { id: notice_id } };
    },
  });

  formRoute(api, endNoticeForm, {
    needs: { scopes: ['SESSION_ACCESS'], rule: whyNotManageNotices },
    page: notices_page,
    async run({ actor, fields, now }) {
      await sql.begin((tx) => endNotice(tx, actor, fields.id, now));
      return done('ended');
    },
  });
}

const instant = (local: string | undefined): string | null =>
  local ? new Date(`${local}Z`).toISOString() : null;

/** `all`, `node ID`, or `servers` with ids. */
function targetsOf(target = 'all', server_ids = ''): unknown[] {
  if (target === 'servers') {
    const ids = server_ids.split(/[\s,]+/).filter(Boolean);
    if (ids.length === 0)
      throw new Refused('invalid_input', {
        problem: 'at least one server ID is needed',
        field: 'server_ids',
      });
    return [...new Set(ids)].map((server_id) => ({ server_id }));
  }
  return target.startsWith('node ') ? [{ node_id: target.slice(5) }] : [];
}
