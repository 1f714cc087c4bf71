import { type FileHandle, open } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { format } from './format.ts';
import type { Saved } from './layer.ts';
import { LayeredIndex } from './layered-index.ts';
import { checkFile, readSegment } from './segment-file-read.ts';
import type { SegmentFiles } from './snapshots.ts';
import { fileStoredFields } from './stored-fields.ts';
import type { Adoption, Loaded, Messages, Request, Response } from './thread-protocol.ts';

/**
 * The searcher thread of a site process: holds the index and answers one message after the other, counts of options
 * last. Only loading runs concurrently. Source: search §4 (Searcher).
 */
interface Opened extends Saved {
  file: FileHandle;
}
type As = 'base' | 'warm';

const parts = new LayeredIndex();
/** Loaded, waiting to be swapped in. */
const waiting = new Map<As, Opened>();
/** Files from which stored hits are read. */
const retained = new Map<As, FileHandle>();

async function load(as: As, { segment, bodies }: SegmentFiles): Promise<Loaded> {
  let file: FileHandle | undefined;
  try {
    file = await open(bodies);
    const { facts, sections, bytes } = await readSegment(segment, format);
    await checkFile(file, facts.bodies);
    await waiting.get(as)?.file.close();
    waiting.set(as, { sections, bodies: fileStoredFields(file.fd), file });
    return { facts, bytes: bytes + facts.bodies.length };
  } catch (error) {
    await file?.close();
    return { refused: (error as Error).message };
  }
}

function handle(as: As): Opened {
  const opened = waiting.get(as);
  if (!opened) throw new Error(`No ${as} was loaded`);
  waiting.delete(as);
  return opened;
}

function adopt({ base, warm, dead, changes }: Adoption) {
  const next = { base: base === 'keep' ? null : handle('base'), warm: warm && handle('warm') };
  parts.adopt({ base: next.base ?? 'keep', warm: next.warm, dead, changes });
  if (next.base) use('base', next.base.file);
  use('warm', next.warm?.file);
  return parts.status();
}

/** Closes the file that is no longer read. */
function use(as: As, file: FileHandle | undefined): void {
  void retained.get(as)?.close();
  if (file) retained.set(as, file);
  else retained.delete(as);
}

function answer(request: Request): Messages[keyof Messages]['answer'] | Promise<Loaded> {
  switch (request.kind) {
    case 'search':
      return parts.search(request.query);
    case 'count':
      return parts.count(request.query);
    case 'shown':
      return parts.fields(request.ids);
    case 'apply':
      parts.apply(request.changes);
      return parts.status();
    case 'load':
      return load(request.as, request.files);
    case 'adopt':
      return adopt(request);
  }
}

const post = (response: Response) => parentPort?.postMessage(response);

function respond(request: Request): void {
  const { id } = request;
  try {
    const given = answer(request);
    if (given instanceof Promise) void given.then((loaded) => post({ id, answer: loaded }));
    else post({ id, answer: given });
  } catch (error) {
    post({ id, error: (error as Error).stack ?? String(error) });
  }
}

/** Counts wait for every other message, since readers wait for the hits and counts take longest, but no longer than this. */
const max_wait_ms = 250;
const counts: Array<{ request: Request; until: number }> = [];

/** One count, and those that waited long; then whatever arrived meanwhile is answered before the next one. */
function countNext(): void {
  do respond(counts.shift()!.request);
  while (counts[0] && counts[0].until < performance.now());
  if (counts.length > 0) setImmediate(countNext);
}

parentPort?.on('message', (request: Request) => {
  if (request.kind !== 'count') return respond(request);
  if (counts.push({ request, until: performance.now() + max_wait_ms }) === 1) setImmediate(countNext);
});
