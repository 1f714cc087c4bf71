import { isRestoring } from '#db/hosting/servers/operations/operations.ts';
import { findAuthorizedServer, type ServerRecord } from '#db/hosting/servers/read.ts';
import { whyNotChangeFiles, whyNotHave, whyNotReadFiles, type whyNotSee } from '#db/hosting/servers/rules.ts';
import { assertAllowed } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ServerOnNode } from '../agents/ask-files.ts';
import { connectionOf } from '../agents/connection-of.ts';
import type { PlaneContext } from '../context.ts';

type Context = Parameters<typeof connectionOf>[0] & Pick<PlaneContext, 'sql' | 'now'>;

/**
 * A server whose files the user may read or change now: asked before any work, by panels, the command line and SFTP alike. An
 * agent that is away for a moment is waited for. Refuses as `rule` (files hold secrets, so reading needs it too),
 * `whyNotReadFiles` and `whyNotChangeFiles` say.
 */
export async function serverForFiles(
  context: Context,
  actor: Actor,
  server_id: string,
  wanted: 'read' | 'change',
  rule: typeof whyNotSee = whyNotHave.files,
): Promise<ServerOnNode & { record: ServerRecord }> {
  const { sql, now } = context;
  const read = () => findAuthorizedServer(sql, actor, server_id, now(), rule);
  let record = await read();
  if (whyNotReadFiles(record.facts) === 'server_unreachable') {
    await connectionOf(context, record.node_id);
    record = await read();
  }
  if (wanted === 'read') assertAllowed(whyNotReadFiles(record.facts));
  else {
    const restoring = await isRestoring(sql, server_id);
    assertAllowed(whyNotChangeFiles({ ...record.facts, restoring }), { by: 'backup_restore' });
  }
  return { id: server_id, node_id: record.node_id, record };
}
