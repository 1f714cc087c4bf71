import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import type { ConflictChoice } from '#control/protocol/files.ts';
import { UserError } from '../user-error.ts';
import type { ControlClient } from './control-client.ts';
import { conflictOption, type FileCommands, printable } from './file-commands.ts';
import { wayOf } from './transfer-way.ts';
import { cancelUpload, descriptionOf, sendFile, uploadIdOf } from './upload-to-server.ts';

type As = 'file' | 'zip' | 'tar.zst';

/** The commands of `server files` that move bytes between this machine and the server. */
export function transferCommands({ verb, asking, url }: FileCommands): void {
  const open = async (plane: ControlClient, message: { server_id: string; paths: string[]; as: As }) => {
    const way = await wayOf(url(), await plane.request('files.download', message));
    const answer = await fetch(way).catch(() => null);
    if (!answer?.ok || !answer.body)
      throw new UserError(answer ? await descriptionOf(answer) : 'Cairn is not responding.');
    return Readable.fromWeb(answer.body as never);
  };

  verb('cat', 'Writes a file to standard output.')
    .argument('<path>', 'the file')
    .action(
      asking(async (plane, server_id: string, path: string) => {
        const content = await open(plane, { server_id, paths: [path], as: 'file' });
        await pipeline(content, process.stdout, { end: false });
      }),
    );
  verb('get', 'Downloads a file as it is, or folders and several files as one archive.')
    .argument('<path...>', 'what; "." is everything')
    .requiredOption('--to <file>', 'where, on this machine')
    .addOption(new Option('--as <form>', 'form').choices(['file', 'zip', 'tar.zst']).default('file'))
    .action(
      asking(async (plane, server_id: string, paths: string[], { to, as }: { to: string; as: As }) => {
        if (await stat(to).catch(() => null)) throw new UserError(`${to} exists already.`);
        const named = paths.map((path) => (path === '.' ? '' : path));
        const content = await open(plane, { server_id, paths: named, as });
        const part = `${to}.part`;
        try {
          await pipeline(content, createWriteStream(part));
          await rename(part, to);
        } catch (error) {
          await rm(part, { force: true });
          throw new UserError(`The download was cut off: ${(error as Error).message}.`);
        }
      }),
    );
  verb('put', 'Uploads files; prints where they are. The same command goes on after it was interrupted.')
    .argument('<file...>', 'files on this machine')
    .option('--to <folder>', 'folder of the server', '')
    .addOption(conflictOption())
    .option('--json', 'as JSON')
    .action(
      asking(
        async (
          plane,
          server_id: string,
          files: string[],
          how: { to: string; onConflict: ConflictChoice; json?: boolean },
        ) => {
          const paths: string[] = [];
          for (const file of files) {
            const path = await put(plane, url(), { server_id, file, ...how });
            paths.push(path);
            if (!how.json) console.log(printable(path));
          }
          if (how.json) console.log(JSON.stringify(paths, null, 2));
        },
      ),
    );
}

interface Wanted {
  server_id: string;
  file: string;
  /** Folder of the server. */
  to: string;
  onConflict: ConflictChoice;
}

/** Uploads one file, and gives where it is. */
async function put(plane: ControlClient, url: string, wanted: Wanted): Promise<string> {
  const { server_id, file, to, onConflict: on_conflict } = wanted;
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new UserError(`${file} is not a file.`);
  const folder = to.replace(/^\.?\/*|\/+$/g, '');
  const path = folder === '' ? basename(file) : `${folder}/${basename(file)}`;
  const bytes = found.size;
  const begin = async (upload_id: string) => {
    const begun = await plane.request('files.upload', { server_id, upload_id, path, bytes });
    return { upload_id, address: await wayOf(url, begun), offset: begun.offset };
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
