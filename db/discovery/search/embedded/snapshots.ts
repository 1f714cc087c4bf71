import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

/** The two files of a segment. */
export interface SegmentFiles {
  segment: string;
  bodies: string;
}

const digits = 15;
const retained_generations = 2;
/** Private folders of builders older than this are orphaned. */
const retention_ms = 10 * 60_000;

const base = /^base-(\d+)\.(segment|bodies)$/;
const named = (generation: number): string => `base-${String(generation).padStart(digits, '0')}`;

/** The files of a base in `folder`. */
export const baseFiles = (folder: string, generation: number): SegmentFiles => ({
  segment: join(folder, `${named(generation)}.segment`),
  bodies: join(folder, `${named(generation)}.bodies`),
});

/** The generations of the bases in `folder`, newest first. Without a folder there are none. */
export function generationsIn(folder: string): number[] {
  return namesIn(folder)
    .map((name) => base.exec(name))
    .filter((match) => match?.[2] === 'segment')
    .map((match) => Number(match?.[1]))
    .sort((a, b) => b - a);
}

/** Generation of a new base: greater than all in `folder`, also after the folder was emptied. */
export const nextGeneration = (folder: string, now: number): number =>
  Math.max(now, (generationsIn(folder)[0] ?? 0) + 1);

/** A name in `folder` for the private folder of one builder; not created yet. */
export const buildFolder = (folder: string, kind: 'base' | 'warm'): string =>
  join(folder, `building-${kind}-${randomUUID()}`);

/** The files that a builder writes in its private folder. */
export const filesIn = (workshop: string): SegmentFiles => ({
  segment: join(workshop, 'segment'),
  bodies: join(workshop, 'bodies'),
});

/**
 * Publishes the complete files of a builder's folder as base `generation`. The segment is renamed last: then the base
 * exists.
 */
export function publish(folder: string, from: SegmentFiles, generation: number): void {
  const to = baseFiles(folder, generation);
  renameSync(from.bodies, to.bodies);
  syncFolder(folder);
  renameSync(from.segment, to.segment);
  syncFolder(folder);
}

/**
 * Deletes all but the two newest bases, stored hits without a segment, and left-overs of failed builders: all folders
 * for bases but `own`, because the caller holds their lock, and old ones of single processes.
 */
export function tidy(folder: string, is_own: string, now: number): void {
  const retained = new Set(generationsIn(folder).slice(0, retained_generations));
  for (const name of namesIn(folder)) {
    const generation = base.exec(name)?.[1];
    const path = join(folder, name);
    const ended =
      name.startsWith('building-base-') ||
      (name.startsWith('building-warm-') && now - changed(path) > retention_ms);
    if (generation ? !retained.has(Number(generation)) : ended && path !== is_own)
      rmSync(path, { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Modification time of `path`; never, when it is missing. */
const changed = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Creates `folder` with its parents. */
export const makeFolder = (folder: string): void => void mkdirSync(folder, { recursive: true });
