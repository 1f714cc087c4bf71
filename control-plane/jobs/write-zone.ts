import { open, readFile, rename, rm } from 'node:fs/promises';
import { zoneText } from '#db/hosting/servers/names/zone.ts';
import { defineJob } from './define.ts';

/**
 * Writes the DNS records of servers with a name into SERVERS_ZONE_FILE when they changed. A name server that reads the file
 * meanwhile sees the one before or this one, whole.
 */
export const writeZone = defineJob({
  name: 'write_zone',
  queue: { retryLimit: 1, expireInSeconds: 60, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/15 * * * * *', unique_s: 15 },
  async run({ sql, now, settings: { SERVERS_ZONE_FILE: path, SERVERS_DOMAIN, SERVERS_NAME_SERVERS } }) {
    if (!path || !SERVERS_DOMAIN) return undefined;
    const text = await sql.begin((tx) => zoneText(tx, { SERVERS_DOMAIN, SERVERS_NAME_SERVERS }, now()));
    if (text === (await readFile(path, 'utf8').catch(() => null))) return undefined;
    await replaceFile(path, text);
    return { bytes: Buffer.byteLength(text) };
  },
});

async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  try {
    const file = await open(part, 'w', 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
