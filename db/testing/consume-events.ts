import { auditConsumer } from '../audit/consumer.ts';
import { projectUpdatesConsumer } from '../notifications/project-updates.ts';
import { parseSettings } from '../runtime/env.ts';
import { indexConsumers } from '../search/consumers.ts';
import { postgresEngine } from '../search/postgres/engine.ts';
import type { Pool } from '../sql.ts';

/** Does what the control plane does with events until none is left: search, audit log, notifications of updates. */
export async function consumeEvents(sql: Pool): Promise<void> {
  const searchIndex = postgresEngine(sql);
  const consumers = [
    ...indexConsumers({ settings: parseSettings({}), sql, searchIndex }),
    auditConsumer(sql),
    projectUpdatesConsumer(sql),
  ];
  for (const consumer of consumers) while ((await consumer.step()) > 0);
}
