import { Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { findAuthorizedServer } from '../read.ts';
import { whyNotHave } from '../rules.ts';
import { motdOf, type Sleep, sleep_minutes, whyNotSleep } from './rules.ts';
import type { SleepView } from './view.ts';

async function viewOf(db: Db, server_id: string): Promise<SleepView> {
  const [row] = await db<Pick<SleepView, 'after_minutes' | 'motd' | 'supported'>[]>`
    select s.sleep_after_minutes as after_minutes, s.sleep_motd as motd,
      case when n.id is not null then coalesce((n.facts->>'can_sleep')::boolean, false) end as supported
    from servers s left join nodes n on n.id = s.node_id where s.id = ${server_id}`;
  if (!row) throw new Refused('server_not_found');
  const { least, usual, most } = sleep_minutes;
  return { ...row, minutes_usual: usual, minutes_least: least, minutes_most: most };
}

/** When a server sleeps. Refuses as `whyNotHave.options` says. */
export async function showSleep(db: Db, actor: Actor, server_id: string, now: Date): Promise<SleepView> {
  await findAuthorizedServer(db, actor, server_id, now, whyNotHave.options);
  return await viewOf(db, server_id);
}

/**
 * Changes when a server sleeps, at once; one that sleeps and may not any more starts. Refuses as `whyNotHave.options` and
 * `whyNotSleep` say: `sleep_minutes_out_of_range`, `sleep_text_invalid`.
 */
export async function changeSleep(
  db: Db,
  actor: Actor,
  { server_id, after_minutes, motd: text }: Sleep & { server_id: string },
  now: Date,
): Promise<SleepView> {
  await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const why = whyNotSleep({ after_minutes, motd: text });
  if (why) throw new Refused(why.code, why.data);
  const motd = motdOf(text);
  const { count } = await db`
    update servers set sleep_after_minutes = ${after_minutes}, sleep_motd = ${motd}, generation = generation + 1
    where id = ${server_id}
      and (sleep_after_minutes, sleep_motd) is distinct from (${after_minutes}::int, ${motd})`;
  if (count > 0)
    await recordEvent(db, {
      name: 'server.sleep_changed',
      actor_id: actor.user_id,
      server_id,
      data: { after_minutes },
    });
  return await viewOf(db, server_id);
}
