import { SftpFailure } from './failure.ts';
import { FileReader } from './file-reader.ts';
import { FileWriter } from './file-writer.ts';
import type { Handle } from './handles.ts';
import type { ServerFiles } from './server-files.ts';
import { openFlags } from './wire.ts';

/** Opens a file as the flags of OPEN say. Nothing is written before its first byte, or before it is closed. */
export async function openFile(files: ServerFiles, path: string, flags: number): Promise<Handle> {
  const has = (flag: keyof typeof openFlags) => (flags & openFlags[flag]) !== 0;
  const writes = has('write') || has('append');
  if (!writes && !has('read')) throw new SftpFailure('failure', 'Open a file for reading or writing.');
  const found = await files.stat(path);
  if (found?.type === 'directory') throw new SftpFailure('failure', 'That is a folder.');
  if (found && found.type !== 'file')
    throw new SftpFailure('permission_denied', 'Links and devices can’t be opened.');
  if (!found && !(writes && has('create'))) throw new SftpFailure('no_such_file', 'No such file.');
  if (found && has('create') && has('exclusive'))
    throw new SftpFailure('failure', 'There is already a file with this name.');
  const now = Date.now();
  const entry = found ?? { name: '', type: 'file' as const, bytes: 0, modified: now, created: now, etag: '' };
  const emptied = has('truncate');
  const writer = writes
    ? new FileWriter({
        ...{ files, path, base: emptied ? null : found, append: has('append') },
        ...{ exclusive: has('create') && has('exclusive'), touched: !found || emptied },
      })
    : null;
  const reader = has('read') ? new FileReader(files, path, entry) : null;
  return { kind: 'file', path, entry, reader, writer, isNew: !found };
}

/** Sets the size of a file that is not open. */
export async function resizeFile(files: ServerFiles, path: string, bytes: number): Promise<void> {
  const entry = await files.stat(path);
  if (!entry) throw new SftpFailure('no_such_file', 'No such file.');
  if (entry.type !== 'file') throw new SftpFailure('failure', 'Only files have a size.');
  if (entry.bytes === bytes) return;
  const base = bytes === 0 ? null : entry;
  const writer = new FileWriter({ files, path, base, append: false, exclusive: false, touched: true });
  await writer.setSize(bytes);
  await writer.close();
}
