// Plain JS: the first command of a fresh clone runs on the system's Node, which may not strip types.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The start time of process `pid`, which differs for a later process with the same pid; null when it does not run.
 * @param {number} pid
 * @returns {string | null}
 */
export function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    // no such process, or a system without /proc
  }
  if (process.platform === 'linux') return null;
  try {
    process.kill(pid, 0);
    return 'running';
  } catch {
    return null;
  }
}

/** @typedef {{ pid: number, started: string | null }} Owner */

/**
 * Locks the file at `path` for this process. A lock whose owner is dead counts as free, so a kill needs no cleanup.
 * Gives the running owner when the lock is taken, else a function that releases it.
 * @param {string} path
 * @returns {{ owner: Owner } | { release: () => void }}
 */
export function take(path) {
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, mine);
  try {
    for (;;) {
      try {
        linkSync(draft, path); // like an exclusive create, but never visible half written
        return { release: () => read(path) === mine && rmSync(path, { force: true }) };
      } catch (error) {
        if (/** @type {{ code?: string }} */ (error).code !== 'EEXIST') throw error;
      }
      const text = read(path);
      if (text === null) continue;
      const owner = ownerIn(text);
      if (owner && startOf(owner.pid) === owner.started) return { owner };
      dropStale(path, text);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Like `take`, but waits until the lock is free; calls `waiting` once when it has to wait.
 * @param {string} path
 * @param {(owner: Owner) => void} waiting
 * @returns {() => void}
 */
export function takeWhenFree(path, waiting) {
  for (let first = true; ; first = false) {
    const taken = take(path);
    if ('release' in taken) return taken.release;
    if (first) waiting(taken.owner);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} text @returns {Owner | null} */
function ownerIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Removes a dead owner's lock. Two processes may find the same one: the moved file is checked again, and moved back
 * when it is the new lock of the faster process.
 * @param {string} path @param {string} stale
 */
function dropStale(path, stale) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) !== stale) linkSync(aside, path);
  } catch {
    // the other process was faster
  }
  rmSync(aside, { force: true });
}
