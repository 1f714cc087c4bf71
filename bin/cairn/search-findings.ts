import { statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { AppContext } from '#db/context.ts';
import { snapshotFolder } from '#db/discovery/search/create-engine.ts';
import { format } from '#db/discovery/search/embedded/format.ts';
import { checkFile, readSegment } from '#db/discovery/search/embedded/segment-file-read.ts';
import { baseFiles } from '#db/discovery/search/embedded/snapshots.ts';
import {
  newestSnapshot,
  type SearchReport,
  type SiteStatus,
  searchReport,
} from '#db/discovery/search/report.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';

const anew = 'run npm run -s cairn -- search rebuild';
/** A larger lag means that the index is not being updated. */
const muchBehind = 1_000;
/** A new snapshot is written beside the two stored ones until it is complete. */
const copies = 2;
const leastRoom = 64 * 1024 ** 2;

type Record = Pick<AppContext, 'settings' | 'sql' | 'searchIndex' | 'now'>;

/** The doctor's findings about search; `site` is the status that a running site reports. Source: decisions §2.2. */
export async function searchFindings(record: Record, site: SiteStatus | null): Promise<Diagnosis[]> {
  const report = await searchReport(record, site);
  return [
    engineFinding(report),
    lagFinding(report),
    ...(report.chosen === 'embedded' ? await snapshotFindings(record) : []),
  ];
}

function engineFinding({ chosen, engine, running, ready, documents }: SearchReport): Diagnosis {
  const instead = engine === chosen ? '' : ` instead of ${chosen}`;
  const found = `${engine}${running ? ' answers' : ' would answer'}${instead}, ${documents} documents`;
  const mend =
    chosen === 'opensearch'
      ? `make sure that the server at SEARCH_URL answers, then ${anew}`
      : `${anew}, and check the site's log`;
  return diagnosis('search', ready && engine === chosen, found, mend);
}

function lagFinding({ running, cursor_lag }: SearchReport): Diagnosis {
  // an index without a running process catches up at the next start
  const fine = !running || (cursor_lag !== null && cursor_lag < muchBehind);
  const found = cursor_lag === null ? 'never built' : `${cursor_lag} events behind`;
  return diagnosis(
    'search lag',
    fine,
    found,
    `check the logs of site and control plane; if the lag stays, ${anew}`,
  );
}

async function snapshotFindings(record: Record): Promise<Diagnosis[]> {
  const folder = snapshotFolder(record.settings);
  const snapshot = await newestSnapshot(record);
  const wrong = snapshot
    ? (snapshot.unusable ?? (await damageOf(folder, snapshot.generation)))
    : 'there is none';
  const room = Math.max(leastRoom, copies * (snapshot?.bytes ?? 0));
  const { bavail, bsize } = statfsSync(record.settings.DATA_DIR);
  const mb = (bytes: number) => `${Math.floor(bytes / 1024 ** 2)} MB`;
  return [
    diagnosis(
      'search snapshot',
      wrong === null,
      wrong ?? `${snapshot?.documents} documents in ${folder}`,
      anew,
    ),
    diagnosis(
      'search disk',
      bavail * bsize > room,
      `${mb(bavail * bsize)} free, ${mb(room)} needed for the next snapshot`,
      `free some disk space for ${folder}`,
    ),
  ];
}

/** Reads both files of a snapshot completely. Gives what is damaged, or null. */
async function damageOf(folder: string, generation: number): Promise<string | null> {
  const files = baseFiles(folder, generation);
  try {
    const { facts } = await readSegment(files.segment, format);
    const bodies = await open(files.bodies);
    await checkFile(bodies, facts.bodies).finally(() => bodies.close());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
