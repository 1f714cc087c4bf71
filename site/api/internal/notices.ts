import { Refused } from '#db/errors.ts';
import { whyNotManageNotices } from '#db/notices/rules.ts';
import { type NoticeInput, noticeInput } from '#db/notices/shape.ts';
import { createNotice, editNotice, endNotice } from '#db/notices/write.ts';
import type { AppServices } from '../../context.ts';
import { parse } from '../route/endpoint.ts';
import { formRoute, type GivenFields } from '../route/form.ts';
import type { Api } from '../route/types.ts';
import { endNoticeForm, noticeForm } from './notice-forms.ts';

const notices_page = '/admin/servers/notices';
const done = { to: `${notices_page}?done=1` };

/** The forms of the notices screen. */
export function noticeRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, noticeForm, {
    needs: whyNotManageNotices,
    page: ({ id }: GivenFields) =>
      typeof id === 'string' && id !== '' ? `${notices_page}?edit=${encodeURIComponent(id)}` : notices_page,
    async run({ actor, fields, now }) {
      const { id, target, server_ids, ...rest } = fields;
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
        if (!id) return await createNotice(tx, actor, input);
        await editNotice(tx, actor, id, input);
        return id;
      });
      return { ...done, answer: { id: notice_id } };
    },
  });

  formRoute(api, endNoticeForm, {
    needs: whyNotManageNotices,
    page: notices_page,
    async run({ actor, fields, now }) {
      await sql.begin((tx) => endNotice(tx, actor, fields.id, now));
      return done;
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
      throw new Refused('invalid_input', { problem: 'no server is named', field: 'server_ids' });
    return [...new Set(ids)].map((server_id) => ({ server_id }));
  }
  return target.startsWith('node ') ? [{ node_id: target.slice(5) }] : [];
}
