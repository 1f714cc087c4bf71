import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationOf } from '#control/testing/backups.ts';
import { closeClients } from '#control/testing/clients.ts';
import { makeArchive, packedServer } from '#control/testing/exports.ts';
import {
  type RentedServer,
  rentServer,
  startControlPlane,
  type TestControlPlane,
} from '#control/testing/plane.ts';
import { storageFolder } from '#control/testing/stored-backups.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const disk = storageFolder();
const folder = mkdtempSync(join(tmpdir(), 'cairn-export-'));
const { archive, world } = packedServer();
/** Every connection through this line breaks after so many bytes to the client. */
let breaks_after = Number.POSITIVE_INFINITY;
let plane: TestControlPlane;
let line: Server;
const at = { url: '' };
const cairn = serverCommand(at);
beforeAll(async () => {
  const storage = diskStorage(disk.folder, { space: async () => ({ free_bytes: 1e12, total_bytes: 1e12 }) });
  plane = await startControlPlane(database.sql, 0, undefined, { storage });
  const { port, hostname } = new URL(plane.url);
  line = createServer((client) => {
    const onward = connect(Number(port), hostname);
    let bytes = 0;
    onward.on('data', (chunk) => {
      bytes += chunk.length;
      if (client.write(chunk) === false) onward.pause();
      if (bytes > breaks_after) client.end(() => onward.destroy());
    });
    client.on('drain', () => onward.resume());
    client.pipe(onward);
    for (const socket of [client, onward]) socket.on('error', () => {}).on('close', () => onward.destroy());
    onward.on('close', () => client.end());
  });
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done));
  at.url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
});
afterAll(async () => {
  closeClients();
  line.close();
  await plane.close();
  disk.end();
  rmSync(folder, { recursive: true });
});

const exporting = (renter: RentedServer, file: string) =>
  cairn(renter, 'export', renter.id, '--to', file, '--json');
/** The agent makes the archive of the next export of this server. */
async function agentMakes(renter: RentedServer, done: readonly string[] = []): Promise<string> {
  const operation = await operationOf(
    renter,
    ({ kind, args }) => kind === 'backup_create' && !done.includes(String(args.backup_id)),
  );
  return await makeArchive(renter, plane.url, operation, archive);
}

it('downloads everything, goes on where it was cut off, and makes another archive when that one is gone', async () => {
  const renter = await rentServer(database.sql, plane.url);
  const file = join(folder, 'valley.tar.zst');
  breaks_after = 1_500_000;
  const cut = exporting(renter, file);
  const first = await agentMakes(renter);
  expect(await cut).toMatchObject({ code: 2, errors: expect.stringContaining('Run the same command again') });
  const there = statSync(`${file}.part`).size;
  expect(there).toBeGreaterThan(1_000_000);
  breaks_after = Number.POSITIVE_INFINITY;
  const ended = await exporting(renter, file);
  expect(ended.errors).toBe('');
  expect(JSON.parse(ended.out)).toEqual({
    ...{ file, backup_id: first, bytes: statSync(file).size, resumed_from: there - 1 },
  });
  expect([existsSync(`${file}.part`), existsSync(`${file}.part.json`)]).toEqual([false, false]);
  execFileSync('tar', ['--zstd', '-xf', file, '-C', folder]);
  expect(readFileSync(join(folder, 'world/level.dat')).equals(world)).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, 'cairn-server.json'), 'utf8')).server.id).toBe(renter.id);
  expect(await exporting(renter, file)).toMatchObject({ code: 1, errors: `${file} exists already.` });

  const again = join(folder, 'again.tar.zst');
  breaks_after = 1_500_000;
  const second = exporting(renter, again);
  const gone = await agentMakes(renter, [first]);
  expect((await second).code).toBe(2);
  breaks_after = Number.POSITIVE_INFINITY;
  await database.sql`delete from server_backups where id = ${gone}`;
  const anew = exporting(renter, again);
  const third = await agentMakes(renter, [first, gone]);
  const made = await anew;
  expect(made.errors).toContain('does not have the archive of this part any more');
  expect(JSON.parse(made.out)).toMatchObject({ backup_id: third, resumed_from: 0 });
});
