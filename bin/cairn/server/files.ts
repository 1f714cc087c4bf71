import { type FileEntry, fileSorts } from '#control/protocol/files.ts';
import { UserError } from '../../user-error.ts';
import { positive, print, printable, printJson, show } from '../print.ts';
import { choice, flag, json, parsed, server as server_id, text, usually } from './parameters.ts';
import { type Row, row } from './row.ts';

/** What looks at the files of a game server. Source: hosting §1e. */
export const fileRows: Row[] = [
  row('files ls', 'Lists a folder, folders first.', {
    server_id,
    path: usually(text('[path]', 'the folder'), ''),
    sort: usually(choice('--sort <field>', 'order', fileSorts), 'name'),
    descending: flag('--desc', 'in descending order'),
    from: usually(parsed('--from <count>', 'entries to leave out', Number), 0),
    limit: usually(parsed('--limit <count>', 'most entries, up to 500', positive), 500),
    json,
  })
    .asks('files.list', (message) => ({ ...message, limit: Math.min(message.limit, 500) }))
    .prints(async ({ entries, total }, { from, json }) => {
      await show(entries, json, () => entries.map(entryLine));
      noteMore(total, from + entries.length);
    }),
  row('files stat', 'Prints what is known of files. The exit code is 1 when one of them does not exist.', {
    server_id,
    paths: text('<path...>', 'files and folders'),
    json,
  })
    .asks('files.stat')
    .prints(({ entries }, { paths, json }) => {
      if (json) printJson(entries);
      else print(entries.filter((entry) => entry !== null).map(entryLine));
      const missing = paths.filter((_, at) => !entries[at]);
      if (missing.length > 0) throw new UserError(`Not there: ${printable(missing.join(', '))}`);
    }),
  row('files search', 'Finds files by their name, or by lines in them.', {
    server_id,
    text: text('<text>', 'what to look for, in any case'),
    path: usually(text('--path <path>', 'only below this folder'), ''),
    contents: flag('--contents', 'in the content of text files'),
    json,
  })
    .asks('files.search', ({ contents, ...message }) => ({
      ...{ ...message, limit: 200 },
      in: contents ? ('contents' as const) : ('names' as const),
    }))
    .prints(({ found, complete }, { json }) => {
      if (json) printJson(found);
      for (const { path, line } of json ? [] : found)
        console.log(printable(`${path}${line ? `:${line.number}: ${line.text}` : ''}`));
      if (!complete) console.error('There may be more: not everything was looked at.');
    }),
];

/** Says on standard error that there are more entries, and how to see them. */
export function noteMore(total: number, next: number): void {
  if (total > next) console.error(`${total - next} more: use --from ${next}.`);
}

const entryLine = ({ name, type, bytes, modified, etag }: FileEntry) => ({
  type,
  bytes,
  modified: new Date(modified).toISOString(),
  etag,
  name: printable(name),
});
