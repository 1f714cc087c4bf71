import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { whyNotManageNotices } from '#db/notices/rules.ts';
import { type NoticeInput, noticeInput } from '#db/notices/shape.ts';
import { createNotice, editNotice, endNotice } from '#db/notices/write.ts';
import { idShape } from '#db/shape.ts';
import type { AppServices } from '../../context.ts';
import { authenticate } from '../route/authenticate.ts';
import { parse } from '../route/endpoint.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';

const page = '/admin/servers/notices';
const text = z.string().max(4000);
/** The value of a `datetime-local` input, which has no zone; the form says that it is UTC. */
const localTime = z.union([z.literal(''), z.iso.datetime({ local: true })]).optional();
const written = z.object({
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
  hl: text.optional(),
});
const ended = z.object({ id: idShape, hl: text.optional() });

/** The forms of the notices screen. Refuses `moderators_only` before anything else. */
export function noticeRoutes(api: Api, { sql }: AppServices): void {
  const back = (given: Record<string, unknown>, code?: string) => {
    const query = new URLSearchParams(code ? { error: code } : { done: '1' });
    if (typeof given.hl === 'string' && given.hl !== '') query.set('hl', given.hl);
    if (code && typeof given.id === 'string' && given.id !== '') query.set('edit', given.id);
    return `${page}?${query}`;
  };

  formRoute(api, '/notices', {
    page: back,
    shape: written,
    async submit({ c, fields, now }) {
      const actor = await authenticate(c, now);
      const refused = whyNotManageNotices(actor);
      if (refused) throw new Refused(refused);
      const { id, hl: _, target, server_ids, ...rest } = fields;
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
      const done = await sql.begin(async (tx) => {
        if (!id) return await createNotice(tx, actor, input);
        await editNotice(tx, actor, id, input);
        return id;
      });
      return { to: back({ hl: fields.hl }), answer: { id: done } };
    },
  });

  formRoute(api, '/notices/end', {
    page: back,
    shape: ended,
    async submit({ c, fields, now }) {
      const actor = await authenticate(c, now);
      await sql.begin((tx) => endNotice(tx, actor, fields.id, now));
      return { to: back({ hl: fields.hl }), answer: {} };
    },
  });
}

const instant = (local: string | undefined): string | null =>
  local ? new Date(`${local}Z`).toISOString() : null;

/** `all`, `node ID`, or `servers` with ids. */
function targetsOf(target = 'all', server_ids = ''): unknown[] {
  if (target === 'servers') {
    const ids = server_ids.split(/[\s,]+/).filter(Boolean);
    if (ids.length === 0) throw new Refused('invalid_input', { problem: 'no server is named' });
    return [...new Set(ids)].map((server_id) => ({ server_id }));
  }
  return target.startsWith('node ') ? [{ node_id: target.slice(5) }] : [];
}
