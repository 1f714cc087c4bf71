import { addMessage } from '../../messages/threads/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { awaitsScan } from '../scans/read.ts';
import { packFilesOf } from './read.ts';
import type { PackFileGroup } from './rules.ts';

const headings: ReadonlyArray<[PackFileGroup, string]> = [
  ['forbidden', 'Their authors do not allow these files in modpacks. Remove them:'],
  [
    'unknown',
    'Nobody has said yet where these files are from. Link to each of them, and say what allows you to include it:',
  ],
  [
    'credited',
    'Their authors want to be named. Name them in the description, with a link where they ask for one:',
  ],
];
/** Names per group in a message. */
const shown = 100;

/**
 * Writes which files of a modpack come from elsewhere, and what is asked for each, to the thread of a project under review; about
 * files in the pack itself its team is asked by `attribution/`. Waits for the scan of its files, which says what is in them. Source: screens §E.3.
 */
export async function writePackFiles(tx: Db, project_id: string, now: Date): Promise<void> {
  const [project] = await tx<Array<{ thread_id: string }>>`
    select thread_id from projects where id = ${project_id} and status = 'processing'`;
  if (!project || (await awaitsScan(tx, project_id, now))) return;
  const files = await packFilesOf(tx, project_id);
  const parts = headings.flatMap(([group, text]) => {
    const names = files
      .filter((file) => file.group === group && !(group === 'unknown' && file.is_override))
      .map(({ name }) => `- \`${name.replaceAll('`', "'")}\``);
    if (names.length === 0) return [];
    const more = names.length > shown ? [`- and ${names.length - shown} more`] : [];
    return [[text, '', ...names.slice(0, shown), ...more].join('\n')];
  });
  if (parts.length === 0) return;
  const body = `Some files of this modpack are from elsewhere.\n\n${parts.join('\n\n')}`;
  await addMessage(
    tx,
    project.thread_id,
    { type: 'text', author_id: null, body: { body, replying_to: null } },
    now,
  );
}
