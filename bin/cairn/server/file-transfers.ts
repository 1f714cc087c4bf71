import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PanelRequests } from '#control/protocol/browser.ts';
import { type ConflictChoice, conflictChoices } from '#control/protocol/files.ts';
import { UserError } from '../../user-error.ts';
import type { ControlClient, Message } from '../control-client.ts';
import { printable, printJson } from '../print.ts';
import { assertNew, openDownload, saveDownload, wayOf } from './download.ts';
import { conflictOption } from './file-changes.ts';
import { choice, json, required, server as server_id, text, usually } from './parameters.ts';
import { type Row, row } from './row.ts';
import { cancelUpload, sendFile, uploadIdOf } from './upload-to-server.ts';

/** What moves bytes between this machine and a server. */
export const fileTransferRows: Row[] = [
  row('files cat', 'Writes a file to standard output.', { server_id, path: text('<path>', 'the file') }).runs(
    async (plane, { server_id, path }) => {
      const content = await download(plane, { server_id, paths: [path], as: 'file' });
      await pipeline(content, process.stdout, { end: false });
    },
  ),
  row('files get', 'Downloads a file as it is, or folders and several files as one archive.', {
    server_id,
    paths: text('<path...>', 'what; "." is everything'),
    to: required(text('--to <file>', 'where, on this machine')),
    as: usually(choice('--as <form>', 'form', ['file', 'zip', 'tar.zst']), 'file'),
  }).runs(async (plane, { server_id, paths, to, as }) => {
    await assertNew(to);
    const named = paths.map((path) => (path === '.' ? '' : path));
    await saveDownload(await download(plane, { server_id, paths: named, as }), to);
  }),
  row(
    'files put',
    'Uploads files; prints where they are. The same command goes on after it was interrupted.',
    {
      server_id,
      files: text('<file...>', 'files on this machine'),
      to: usually(text('--to <folder>', 'folder of the server'), ''),
      on_conflict: conflictOption(conflictChoices),
      json,
    },
  ).runs(async (plane, { files, json, ...how }) => {
    const paths: string[] = [];
    for (const file of files) {
      const path = await put(plane, { file, ...how });
      paths.push(path);
      if (!json) console.log(printable(path));
    }
    if (json) printJson(paths);
  }),
];

async function download(
  plane: ControlClient,
  message: Message<PanelRequests, 'files.download'>,
): Promise<Readable> {
  return await openDownload(await wayOf(plane.url, await plane.request('files.download', message)));
}

interface Wanted {
  server_id: string;
  file: string;
  /** Folder of the server. */
  to: string;
  on_conflict: ConflictChoice;
}

/** Uploads one file, and gives where it is. */
async function put(plane: ControlClient, { server_id, file, to, on_conflict }: Wanted): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new UserError(`${file} is not a file.`);
  const folder = to.replace(/^\.?\/*|\/+$/g, '');
  const path = folder === '' ? basename(file) : `${folder}/${basename(file)}`;
  const bytes = found.size;
  const begin = async (upload_id: string) => {
    const begun = await plane.request('files.upload', { server_id, upload_id, path, bytes });
    return { upload_id, address: await wayOf(plane.url, begun), offset: begun.offset };
  };
  let upload = await begin(uploadIdOf({ server_id, path, bytes, modified_ms: found.mtimeMs }));
  // a complete one may be at its place already, from an earlier command: this one is for what is on this machine now
  if (upload.offset >= bytes) {
    await cancelUpload(upload.address);
    upload = await begin(randomUUID());
  }
  await sendFile(upload.address, file, bytes);
  const placed = { server_id, upload_id: upload.upload_id, on_conflict };
  try {
    return (await plane.request('files.place', placed)).path;
  } catch (error) {
    // it would take room on the disk of the server for a day
    await cancelUpload(upload.address);
    throw error;
  }
}
