import { projectUpdatesConsumer } from '../catalogue/follows/project-updates.ts';
import { indexConsumers } from '../discovery/search/consumers.ts';
import { postgresEngine } from '../discovery/search/postgres/engine.ts';
import { auditConsumer } from '../moderation/audit/consumer.ts';
import type { Pool } from '../platform/postgres/sql.ts';
import { parseSettings } from '../platform/runtime/env.ts';

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
