import { addMessage } from '../../messages/threads/write.ts';
import { refusals } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotSubmit } from '../checklist/rules.ts';
import { checklistFacts } from '../projects/checklist-facts.ts';

/**
 * Writes the open required points of a project that was created for review as the first message of its thread: tools that
 * publish through the API are not refused, and the team reads at once what a reviewer would ask for. Source: screens §E.3.
 */
export async function writeOpenPoints(
  tx: Db,
  { id, thread_id, now }: { id: string; thread_id: string; now: Date },
): Promise<void> {
  const facts = await checklistFacts(tx, id);
  const open = facts ? whyNotSubmit(facts) : [];
  if (open.length === 0) return;
  const lines = open.map((code) => `- ${refusals[code][1]}`);
  const body = `Reviewers will ask for this before the project can be approved:\n\n${lines.join('\n')}`;
  await addMessage(tx, thread_id, { type: 'text', author_id: null, body: { body, replying_to: null } }, now);
}
