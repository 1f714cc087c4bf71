import { beforeEach, expect, it } from 'vitest';
import {
  addNode,
  editNode,
  expireNodes,
  joinNode,
  removeNode,
  rotateSecret,
  setDraining,
} from '../../hosting/nodes/write.ts';
import { createNotice, editNotice, endNotice } from '../../hosting/notices/write.ts';
import {
  createServer,
  deleteServer,
  renameServer,
  resumeServer,
  setPower,
  suspendServer,
} from '../../hosting/servers/write.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { eventsAfter } from './read.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00Z');
beforeEach(async () => {
  await database.sql`truncate events`;
});

const recorded = async () =>
  (await eventsAfter(database.sql, { xact: '0', id: 0 }, 100)).map(({ name, actor_id, data }) => ({
    name,
    actor_id,
    data,
  }));

it('records changes of a node once each', async () => {
  const { sql } = database;
  const { id, join_token } = await addNode(
    sql,
    { name: 'stone-1', region: 'western-europe', public_address: 'play.example.test' },
    now,
  );
  await editNode(sql, id, { region: 'western-europe', public_address: 'b.example.test' });
  await joinNode(sql, join_token, now);
  await rotateSecret(sql, id, now);
  await setDraining(sql, id, true, 'User0001');
  await sql`update nodes set status = 'online', last_seen = ${new Date(0)} where id = ${id}`;
  await expireNodes(sql, now);
  await expireNodes(sql, now);
  await removeNode(sql, id);
  expect(await recorded()).toEqual([
    { name: 'node.added', actor_id: null, data: { name: 'stone-1', region: 'western-europe' } },
    { name: 'node.edited', actor_id: null, data: {} },
    { name: 'node.joined', actor_id: null, data: {} },
    { name: 'node.secret_rotated', actor_id: null, data: {} },
    { name: 'node.draining_changed', actor_id: 'User0001', data: { draining: true } },
    { name: 'node.offline', actor_id: null, data: {} },
    { name: 'node.removed', actor_id: null, data: { name: 'stone-1' } },
  ]);
});

it('records what renters and staff do to a server, with the actor', async () => {
  const { sql } = database;
  const owner = await build.user(sql);
  const actor = build.actorFor(owner);
  const server = {
    id: 'Serv0001',
    order_id: 'Ordr0001',
    owner_id: owner.id,
    name: 'First',
    kind: 'local',
    region: 'western-europe',
    plan: 'small',
    ram_mb: 3072,
    cpu_millis: 1000,
    swap_mb: 0,
    disk_mb: 10_240,
    game_version: '1.21.4',
    loader: null,
    terms_accepted: now,
    starts: false,
  };
  await createServer(sql, server);
  await createServer(sql, server);
  await sql`truncate events`;
  await renameServer(sql, actor, { server_id: server.id, name: 'Second' }, now);
  await renameServer(sql, actor, { server_id: server.id, name: 'Second' }, now);
  const op_id = crypto.randomUUID();
  const order = { server_id: server.id, op_id, action: 'start' as const };
  await setPower(sql, actor, order, now);
  await setPower(sql, actor, order, now);
  await suspendServer(sql, server.id, 'moderated', 'Staff001');
  await resumeServer(sql, server.id, 'Staff001');
  await resumeServer(sql, server.id, 'Staff001');
  await deleteServer(sql, server.id, owner.id);
  expect(await recorded()).toEqual([
    { name: 'server.renamed', actor_id: owner.id, data: { from: 'First', to: 'Second' } },
    { name: 'server.power_requested', actor_id: owner.id, data: { action: 'start' } },
    { name: 'server.suspended', actor_id: 'Staff001', data: { reason: 'moderated' } },
    { name: 'server.resumed', actor_id: 'Staff001', data: {} },
    { name: 'server.deleted', actor_id: owner.id, data: {} },
  ]);
});

it('records notices of staff', async () => {
  const { sql } = database;
  const actor = build.actorFor(await build.user(sql, { role: 'admin' }), { role: 'admin' });
  const input = {
    level: 'info' as const,
    title: 'Work tonight',
    message: '',
    url: null,
    begins: now,
    expires: null,
    dismissable: true,
    targets: [],
  };
  const id = await createNotice(sql, actor, input as never, now);
  await editNotice(sql, actor, id, { ...input, level: 'warn' } as never, now);
  await endNotice(sql, actor, id, now);
  expect((await recorded()).map(({ name, data }) => [name, data])).toEqual([
    ['notice.created', { level: 'info' }],
    ['notice.edited', { level: 'warn' }],
    ['notice.ended', {}],
  ]);
});
