import { max_page_entries } from '../protocol/files.ts';
import { SftpFailure } from './failure.ts';
import type { Handle, Handles } from './handles.ts';
import { sftpLimits } from './limits.ts';
import { openFile, resizeFile } from './open-file.ts';
import { relativePath, shownPath } from './paths.ts';
import {
  attributesReply,
  dataReply,
  handleReply,
  limitsReply,
  namesReply,
  pathReply,
  statusReply,
} from './replies.ts';
import type { SetAttributes, SftpRequest } from './requests.ts';
import type { ServerFiles } from './server-files.ts';

/** Entries of one answer: with names of 255 bytes they fit into any client's packets. */
const packet_entries = 100;

/**
 * Does what a request asks for and gives the packet that answers it. Throws `SftpFailure` and refusals, which
 * `failureOf` puts into words for the client.
 */
export async function answer(files: ServerFiles, handles: Handles, request: SftpRequest): Promise<Buffer> {
  const { id } = request;
  switch (request.type) {
    case 'realpath':
      return pathReply(id, shownPath(relativePath(request.path)));
    case 'limits':
      return limitsReply(id);
    case 'stat':
      return attributesReply(id, await existing(files, relativePath(request.path)));
    case 'fstat':
      return attributesReply(id, await entryOf(files, handles.get(request.handle)));
    case 'open': {
      const path = relativePath(request.path);
      return handleReply(id, await handles.add(() => openFile(files, path, request.flags)));
    }
    case 'opendir': {
      const path = relativePath(request.path);
      return handleReply(id, await handles.add(() => openDirectory(files, path)));
    }
    case 'read': {
      const { reader, writer } = handles.file(request.handle);
      if (!reader) throw new SftpFailure('permission_denied', 'The file isn’t open for reading.');
      if (writer?.isTouched)
        throw new SftpFailure('failure', 'What was written can be read after the file was closed.');
      const data = await reader.read(request.offset, Math.min(request.length, sftpLimits.block_bytes));
      return data ? dataReply(id, data) : statusReply(id, 'eof', 'End of file');
    }
    case 'readdir': {
      const entries = await nextEntries(files, handles.get(request.handle));
      return entries.length > 0 ? namesReply(id, entries) : statusReply(id, 'eof', 'End of folder');
    }
    default:
      await change(files, handles, request);
      return statusReply(id, 'ok');
  }
}

/** Requests that are answered with a status only. */
async function change(files: ServerFiles, handles: Handles, request: SftpRequest): Promise<void> {
  switch (request.type) {
    case 'write':
      return await writerOf(handles, request.handle).write(request.offset, request.data);
    case 'close':
      return await closeHandle(handles.remove(request.handle));
    case 'fsync':
      // its bytes are safe once it is closed
      handles.file(request.handle);
      return;
    case 'setstat':
      return await setPath(files, handles, relativePath(request.path), request.to);
    case 'fsetstat':
      return await setHandle(files, handles, request.handle, request.to);
    case 'mkdir':
      return await files.createDirectory(relativePath(request.path));
    case 'remove': {
      const path = relativePath(request.path);
      if ((await existing(files, path)).type === 'directory')
        throw new SftpFailure('failure', 'That is a folder.');
      return await files.remove(path);
    }
    case 'rmdir':
      return await removeDirectory(files, relativePath(request.path));
    case 'rename': {
      const [from, to] = [relativePath(request.from), relativePath(request.to)];
      await existing(files, from);
      if (from !== to) await files.move(from, to, request.replace);
      return;
    }
    default:
      throw new SftpFailure('unsupported', 'This server doesn’t support that.');
  }
}

/** Sets size and time of what has a path. Owner and permissions belong to the server's process. */
async function setPath(
  files: ServerFiles,
  handles: Handles,
  path: string,
  { size, modified }: SetAttributes,
): Promise<void> {
  // what is being written replaces the file of that path when it is closed
  const writers = handles.writersOf(path);
  if (size !== null) await resizeFile(files, path, size);
  else if (writers.length === 0) await existing(files, path);
  if (modified === null) return;
  for (const writer of writers) writer.setModified(modified);
  if (writers.length === 0) await files.setModified(path, modified);
}

async function setHandle(
  files: ServerFiles,
  handles: Handles,
  name: string,
  { size, modified }: SetAttributes,
): Promise<void> {
  const handle = handles.get(name);
  if (size !== null) await writerOf(handles, name).setSize(size);
  if (modified === null) return;
  if (handle.kind === 'file' && handle.writer) handle.writer.setModified(modified);
  else await files.setModified(handle.path, modified);
}

async function existing(files: ServerFiles, path: string) {
  const entry = await files.stat(path);
  if (!entry) throw new SftpFailure('no_such_file', 'No such file or folder.');
  return entry;
}

function writerOf(handles: Handles, name: string) {
  const { writer } = handles.file(name);
  if (!writer) throw new SftpFailure('permission_denied', 'The file isn’t open for writing.');
  return writer;
}

async function entryOf(files: ServerFiles, handle: Handle) {
  if (handle.kind === 'directory') return await existing(files, handle.path);
  if (handle.writer) {
    const { bytes, modified } = handle.writer;
    return { ...handle.entry, bytes, modified: modified ?? handle.entry.modified };
  }
  return (await files.stat(handle.path)) ?? handle.entry;
}

async function openDirectory(files: ServerFiles, path: string): Promise<Handle> {
  if ((await existing(files, path)).type !== 'directory')
    throw new SftpFailure('failure', 'That isn’t a folder.');
  return { kind: 'directory', path, next: 0, entries: [], complete: false };
}

/** The next entries of a folder, none at its end. */
async function nextEntries(files: ServerFiles, handle: Handle) {
  if (handle.kind !== 'directory') throw new SftpFailure('failure', 'That isn’t a folder.');
  if (handle.entries.length === 0 && !handle.complete) {
    const { entries } = await files.list(handle.path, handle.next);
    handle.next += entries.length;
    handle.entries = entries;
    handle.complete = entries.length < max_page_entries;
  }
  return handle.entries.splice(0, packet_entries);
}

async function closeHandle(handle: Handle): Promise<void> {
  if (handle.kind === 'directory') return;
  handle.reader?.close();
  await handle.writer?.close();
}

async function removeDirectory(files: ServerFiles, path: string): Promise<void> {
  if (path === '') throw new SftpFailure('permission_denied', 'The folder of the server stays.');
  if ((await existing(files, path)).type !== 'directory')
    throw new SftpFailure('failure', 'That isn’t a folder.');
  if ((await files.list(path, 0)).total > 0) throw new SftpFailure('failure', 'The folder isn’t empty.');
  await files.remove(path);
}
