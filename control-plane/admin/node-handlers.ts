import { refusalDescription } from '#content/refusal-description.ts';
import { nodeViews } from '#db/hosting/nodes/read.ts';
import { rotateNow } from '#db/hosting/nodes/rotate.ts';
import { join_token_ttl_ms, joinCommand } from '#db/hosting/nodes/rules.ts';
import { addNode, reissueJoinToken, removeNode, setDraining } from '#db/hosting/nodes/write.ts';
import { planeViews } from '#db/hosting/planes/read.ts';
import { emptyNode, giveUpNode } from '#db/hosting/servers/moves/request.ts';
import { assertAllowed } from '#db/platform/errors.ts';
import { whyNotProved } from '#db/platform/people/rules.ts';
import type { PlaneContext } from '../context.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { staffRequests } from '../protocol/staff.ts';
import { callerOf } from '../sockets/authenticate.ts';
import { asStaff, type StaffSocket } from './access.ts';
import type { Subscribers } from './subscribers.ts';

/** How long an agent has to take a new secret, in milliseconds: less than pages wait for an answer. */
const patience_ms = 8_000;

type Requests = Pick<typeof staffRequests, Extract<keyof typeof staffRequests, `node.${string}`>>;

/** What administrators do with nodes; `cairn node` calls the same functions of the domain. */
export function nodeHandlers(
  context: Pick<PlaneContext, 'sql' | 'lastUsed' | 'now' | 'settings'>,
  subscribers: Subscribers,
): Handlers<Requests, StaffSocket> {
  const { sql, now, settings } = context;
  const nodeOf = async (id: string) => (await nodeViews(sql, now(), id))[0]!;
  const joining = async (id: string, token: string, at: Date) => ({
    node: await nodeOf(id),
    command: joinCommand(settings.SITE_URL, token),
    expires: new Date(at.getTime() + join_token_ttl_ms).toISOString(),
  });
  return {
    'node.list': async (socket) => {
      await asStaff(context, socket, 'SERVER_READ');
      subscribers.of(socket).nodes = true;
      return { nodes: await nodeViews(sql, now()), planes: await planeViews(sql) };
    },
    'node.add': async (socket, { ram_gb, cpu, disk_gb, ...node }) => {
      const actor = await asStaff(context, socket, 'SERVER_WRITE');
      const at = now();
      const most = {
        ...(ram_gb === undefined ? {} : { ram_mb: ram_gb * 1024 }),
        ...(cpu === undefined ? {} : { cpu_millis: Math.round(cpu * 1000) }),
        ...(disk_gb === undefined ? {} : { disk_mb: disk_gb * 1024 }),
      };
      const settings_given = Object.fromEntries(
        Object.entries(node).filter(([, value]) => value !== undefined),
      ) as Pick<typeof node, 'name' | 'region' | 'public_address'>;
      const added = await sql.begin((tx) => addNode(tx, { ...settings_given, ...most }, at, actor));
      return await joining(added.id, added.join_token, at);
    },
    'node.rejoin': async (socket, { node_id }) => {
      const actor = await asStaff(context, socket, 'SERVER_WRITE');
      const at = now();
      const { join_token } = await sql.begin((tx) => reissueJoinToken(tx, node_id, at, actor));
      return await joining(node_id, join_token, at);
    },
    'node.rotate': async (socket, { node_id }) => {
      const actor = await asStaff(context, socket, 'SERVER_WRITE');
      assertAllowed(whyNotProved(actor, now())); // the secret may be shown
      const actor_id = actor.user_id;
      return await rotateNow(sql, node_id, { now, patience_ms, actor_id });
    },
    'node.remove': async (socket, { node_id }) => {
      const { user_id } = await asStaff(context, socket, 'SERVER_WRITE');
      await sql.begin((tx) => removeNode(tx, node_id, user_id));
      return {};
    },
    'node.drain': async (socket, { node_id, draining }) => {
      const { user_id } = await asStaff(context, socket, 'SERVER_WRITE');
      await sql.begin((tx) => setDraining(tx, node_id, draining, user_id));
      return { node: await nodeOf(node_id) };
    },
    'node.empty': async (socket, { node_id, drop_backups }) => {
      const { user_id: actor_id } = await asStaff(context, socket, 'SERVER_WRITE');
      const how = { actor_id, drop_backups };
      const { moving, staying } = await sql.begin((tx) => emptyNode(tx, node_id, how, now()));
      const { locale } = callerOf(socket);
      return {
        moving,
        staying: staying.map(({ refused, ...one }) => ({
          ...{ ...one, code: refused.code, why: refusalDescription(refused, locale) },
        })),
      };
    },
    'node.give_up': async (socket, { node_id }) => {
      const { user_id } = await asStaff(context, socket, 'SERVER_WRITE');
      return await sql.begin((tx) => giveUpNode(tx, node_id, user_id, now()));
    },
  };
}
