import { expect, test } from 'vitest';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { dismissNotice } from '../../notices/write.ts';
import { answerInvitation } from './invitations.ts';

const database = testDatabase();

test('a token without the scope for servers answers neither invitations nor notices', async () => {
  const { sql } = database;
  const actor = build.actorFor(await build.user(sql), { scopes: new Set(['REPORT_CREATE', 'SERVER_READ']) });
  const asked = { server_id: 'AABBCCDD', answer: 'accept' as const };
  const missing = { code: 'scope_missing', data: { scope: 'SERVER_WRITE' } };
  await expect(answerInvitation(sql, actor, asked, new Date())).rejects.toMatchObject(missing);
  await expect(dismissNotice(sql, actor, 'AABBCCDD', new Date())).rejects.toMatchObject(missing);
});
