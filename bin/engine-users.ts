import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startOf, take } from './lock.mjs';

/** Runs of tests and benchmarks on this machine that use its Docker engine, so that none stops it under another one. */
export interface EngineUsers {
  /** Does `work` while no other run joins or leaves. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  join(): void;
  leave(): void;
  /** Whether another run that is alive uses the engine. */
  hasOthers(): boolean;
  /** Stores that a run started the engine: whoever leaves last stops it. */
  started(pid: number): void;
  /** The process of the engine that a run started, while it is alive. */
  startedEngine(): number | null;
}

const pause_ms = 200;

/** Only root starts and stops engines; what others use is seen by its containers. */
export function engineUsers(folder = '/run/cairn-engine', pid = process.pid): EngineUsers {
  const users = join(folder, 'users');
  const engine = join(folder, 'engine');
  /** Alive is a process that was started when its entry says. */
  const isAlive = (path: string, id: number) => startOf(id) !== null && read(path) === startOf(id);
  return {
    async alone(work) {
      for (;;) {
        const taken = take(join(folder, 'lock'));
        if ('release' in taken) {
          try {
            return await work();
          } finally {
            taken.release();
          }
        }
        await setTimeout(pause_ms);
      }
    },
    join() {
      mkdirSync(users, { recursive: true });
      writeFileSync(join(users, String(pid)), startOf(pid) ?? '');
    },
    leave: () => rmSync(join(users, String(pid)), { force: true }),
    hasOthers() {
      mkdirSync(users, { recursive: true });
      const others = readdirSync(users).filter((name) => name !== String(pid));
      for (const name of others) if (!isAlive(join(users, name), Number(name))) rmSync(join(users, name));
      return others.some((name) => isAlive(join(users, name), Number(name)));
    },
    started(id) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(engine, `${id} ${startOf(id)}`);
    },
    startedEngine() {
      const [id, started] = read(engine)?.split(' ') ?? [];
      return started !== undefined && startOf(Number(id)) === started ? Number(id) : null;
    },
  };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
