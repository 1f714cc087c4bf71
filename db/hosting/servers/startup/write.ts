import { Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { defaultJava, javaFor } from '../../server-kinds/java/rules.ts';
import { lockChangeableServer } from '../locked.ts';
import { findAuthorizedServer, type ServerRecord } from '../read.ts';
import { markRestartDue } from '../restart-due.ts';
import { whyNotHave } from '../rules.ts';
import {
  allowedFlags,
  defaultHeapMb,
  maxHeapMb,
  min_heap_mb,
  type Startup,
  startCommand,
  whyNotStartup,
} from './rules.ts';
import type { StartupView } from './view.ts';

async function startupOf(db: Db, server_id: string): Promise<Startup> {
  const [row] = await db<Startup[]>`select java, heap_mb, jvm_flags from servers where id = ${server_id}`;
  if (!row) throw new Refused('server_not_found');
  return row;
}

const viewOf = ({ view }: ServerRecord, startup: Startup): StartupView => ({
  ...{ java: startup.java, heap_mb: startup.heap_mb, jvm_flags: [...startup.jvm_flags] },
  java_default: defaultJava(view.game_version),
  java_choices: javaFor(view.game_version),
  heap_default_mb: defaultHeapMb(view.ram_mb),
  heap_least_mb: min_heap_mb,
  heap_most_mb: maxHeapMb(view.ram_mb),
  flags_allowed: [...allowedFlags],
  command: startCommand(view, startup),
});

/** How a server is started. Refuses as `whyNotHave.options` says. */
export async function showStartup(db: Db, actor: Actor, server_id: string, now: Date): Promise<StartupView> {
  const server = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.options);
  return viewOf(server, await startupOf(db, server_id));
}

/**
 * Changes how a server is started, from its next start on. Refuses as `whyNotHave.options` and `whyNotStartup` say:
 * `java_not_fitting`, `heap_out_of_range`, `jvm_flags_too_many`, `jvm_flag_not_allowed`.
 */
export async function changeStartup(
  db: Db,
  actor: Actor,
  { server_id, ...startup }: Startup & { server_id: string },
  now: Date,
): Promise<StartupView> {
  const server = await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const why = whyNotStartup(server.view, startup);
  if (why) throw new Refused(why.code, why.data);
  const { java, heap_mb, jvm_flags } = startup;
  const { count } = await db`
    update servers set java = ${java}, heap_mb = ${heap_mb}, jvm_flags = ${[...jvm_flags]}, generation = generation + 1
    where id = ${server_id} and (java, heap_mb, jvm_flags)
      is distinct from (${java}::int, ${heap_mb}::int, ${[...jvm_flags]}::text[])`;
  if (count > 0) {
    await markRestartDue(db, server_id);
    const data = { java, heap_mb, jvm_flags: [...jvm_flags] };
    await recordEvent(db, { name: 'server.startup_changed', actor_id: actor.user_id, server_id, data });
  }
  return viewOf(server, startup);
}
