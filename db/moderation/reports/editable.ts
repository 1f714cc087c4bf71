import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotEditReport } from './rules.ts';

/** The id of a report whose text the actor may edit. Refuses `not_found`. */
export async function editableReport(db: Db, actor: Actor, id: string): Promise<string> {
  const [report] = await db<Array<{ reporter: string }>>`select reporter from reports where id = ${id}`;
  if (!report) throw new Refused('not_found');
  assertAllowed(whyNotEditReport(report, { closed: false }, actor));
  return id;
}
