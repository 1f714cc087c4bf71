import type { Command } from 'commander';
import type { AppContext } from '#db/context.ts';
import { searchServer, serverCursor } from '#db/discovery/search/consumers.ts';
import { builderConnect, snapshotFolder } from '#db/discovery/search/create-engine.ts';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { buildBase } from '#db/discovery/search/embedded/builder.ts';
import { factsOf } from '#db/discovery/search/embedded/segment-file-read.ts';
import { baseFiles } from '#db/discovery/search/embedded/snapshots.ts';
import type { SearchIndex } from '#db/discovery/search/engine.ts';
import { type SearchReport, type SiteStatus, searchReport } from '#db/discovery/search/report.ts';
import { siteAddress } from '../processes.ts';
import { probe } from '../readiness.ts';
import { UserError } from '../user-error.ts';
import { print } from './print.ts';
import { withContext } from './with-context.ts';

interface Rebuilt {
  index: SearchIndex['name'];
  documents: number;
  seconds: number;
  /** of the new snapshot */
  bytes: number | null;
}

/** `search`: status of the index, and rebuilding it. */
export function searchCommands(program: Command): void {
  const search = program.command('search').description('Manages the search index.');
  search
    .command('rebuild')
    .description('Rebuilds every search index from the catalog; the old ones are used until then.')
    .option('--json', 'as JSON')
    .action(async ({ json }) => print(await withContext(rebuild), json));
  search
    .command('status')
    .description('Prints the active search engine, its number of documents, and its lag.')
    .option('--json', 'as JSON')
    .action(async ({ json }) => {
      const report = await withContext(async (record) => searchReport(record, await siteStatus(record)));
      if (json) console.log(JSON.stringify(report, null, 2));
      else print(linesOf(report));
    });
}

/** The search status of the site that runs here; null when none does, or its address is not reachable. */
export async function siteStatus({ settings }: Pick<AppContext, 'settings'>): Promise<SiteStatus | null> {
  const answer = await probe(siteAddress(settings), '/searchz');
  return answer?.status === 200 ? (JSON.parse(answer.body) as SiteStatus) : null;
}

async function rebuild(record: AppContext): Promise<Rebuilt[]> {
  const { settings, searchIndex } = record;
  const done = [await remade(record, searchIndex, 'search')];
  const server = searchServer(settings);
  if (server) done.push(await remade(record, server, serverCursor).finally(() => server.close()));
  if (settings.SEARCH_ENGINE === 'embedded') done.push(await snapshotMade(record));
  return done;
}

const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;

/** How long the running product may hold the index lock before that counts as its own rebuild, in milliseconds. */
const patience_ms = 20_000;

/** Rebuilds an index that its consumer keeps up to date. */
async function remade({ sql }: AppContext, index: SearchIndex, cursor: string): Promise<Rebuilt> {
  const began = performance.now();
  let documents = 0;
  const counting: SearchIndex = {
    ...index,
    rebuild: (docs) =>
      index.rebuild(
        (async function* () {
          for await (const doc of docs) {
            if (++documents % 5_000 === 0) console.error(`${index.name}: ${documents} documents`);
            yield doc;
          }
        })(),
      ),
  };
  console.error(`${index.name}: rebuilding the index`);
  if (!(await indexConsumer(sql, counting, cursor).rebuild(patience_ms)))
    throw new UserError(`The index of ${index.name} is already being rebuilt by another process.`);
  return { index: index.name, documents, seconds: seconds(began), bytes: null };
}

/** Builds a new snapshot; running sites load it by themselves. */
async function snapshotMade({ settings }: AppContext): Promise<Rebuilt> {
  const began = performance.now();
  const folder = snapshotFolder(settings);
  console.error(`embedded: building a snapshot in ${folder}`);
  const built = await buildBase({ connect: builderConnect(settings), folder }).catch((error: Error) => {
    throw new UserError(`No snapshot could be built in ${folder}: ${error.message}`);
  });
  // another process may have built one during the wait for the lock
  const { documents, bytes } =
    'newer' in built ? await factsOf(baseFiles(folder, built.newer).segment) : built;
  return { index: 'embedded', documents, seconds: seconds(began), bytes };
}

const size = (bytes: number): string =>
  bytes < 10 * 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${Math.round(bytes / 1024 ** 2)} MB`;

function linesOf({ snapshot, last_build, ...report }: SearchReport): Array<{ what: string; is: string }> {
  const lag = report.cursor_lag === 10_000 ? '10000 or more' : report.cursor_lag;
  const lines: Record<string, string> = {
    engine: report.running ? report.engine : `${report.engine} (no site is running here)`,
    chosen: report.chosen,
    ready: report.ready ? 'yes' : 'no',
    documents: String(report.documents),
    'events behind': lag === null ? 'never built' : String(lag),
    size: size(report.bytes),
    ...(report.waiting === null ? {} : { waiting: String(report.waiting) }),
    ...(snapshot
      ? {
          snapshot: `${snapshot.documents} documents, ${size(snapshot.bytes)}, ${ago(snapshot.age_s)} old`,
          ...(snapshot.unusable ? { problem: `the snapshot is not used: ${snapshot.unusable}` } : {}),
        }
      : {}),
    ...(last_build
      ? { 'last build': `${last_build.ended}, took ${(last_build.ms / 1000).toFixed(1)} s` }
      : {}),
  };
  return Object.entries(lines).map(([what, is]) => ({ what, is }));
}

function ago(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
