import { last_lines_max_bytes } from '#control/protocol/agent.ts';
import { Broken } from './broken.ts';
import { epochOf } from './console/console.ts';
import { changeLimits, createOptions, look, removeContainer, signal } from './containers.ts';
import { EngineAway, refusedWith } from './engine.ts';
import { newestLines } from './event-size.ts';
import { folderOf, uidFor } from './folders.ts';
import type { Kept } from './journal/servers.ts';
import type { Keeper } from './keeper.ts';
import type { Kind } from './kinds.ts';
import { type Step, settle } from './plan.ts';
import { foreignPorts } from './ports.ts';

/** How each step of the plan is done. Every one may be cut off anywhere: the next look finds what is left to do. */
type Doing = {
  [S in Exclude<Step['do'], 'nothing' | 'wait'>]: (
    keeper: Keeper,
    step: Extract<Step, { do: S }>,
  ) => Promise<void>;
};

/** An engine that takes longer than this to attach is away. */
const attach_ms = 30_000;
/** How long the last words of an ended process may take to arrive. */
const lastWords_ms = 3_000;
/** After this a container that was sent SIGKILL is sent it again. */
const killAgain_ms = 10_000;
/** Until the disk of a server that runs is seen to again. */
const fitAgain_ms = 60_000;

export const steps: Doing & { leave: (keeper: Keeper) => Promise<void> } = {
  async install(keeper) {
    const { kept, kind } = known(keeper);
    const { shop } = keeper;
    await shop.imageOf(kind.image(kept.spec));
    await shop.disks.ready(keeper.id, kept.uid, kept.spec.disk_mb, true);
    shop.journal.atOnce(() => {
      const now = known(keeper).kept;
      const { generation: installed_generation, resize_seq } = kept.spec;
      keeper.remember({ ...now.facts, installed_generation, resize_seq, broken: null });
      keeper.tell('server.installed', { generation: kept.spec.generation });
    });
  },

  async start(keeper) {
    const { shop, seen } = keeper;
    const { kept, kind } = known(keeper);
    const { spec } = kept;
    const identity = shop.identity();
    if ((await foreignPorts(shop.engine, identity)).has(spec.port)) throw new Broken('port_taken');
    // a container over a folder that is not mounted would write into the wrong place
    await shop.disks.ready(keeper.id, kept.uid, spec.disk_mb, true);
    if ((await shop.usedMb(keeper.id, 'now')) >= spec.disk_mb) throw new Broken('disk_full');
    const image = await shop.imageOf(kind.image(spec));
    await shop.prepareNetwork();
    const { facts, spec: wanted } = known(keeper).kept;
    if (wanted.generation !== spec.generation) return; // planned anew
    const starting = {
      ...facts,
      power: 'starting',
      rest: null,
      crashes: spec.restart_seq > facts.restart_seq ? [] : facts.crashes,
      restart_seq: spec.restart_seq,
      stop_typed: false,
      slow_told: false,
      started_at: shop.now(),
    } as const;
    keeper.remember(starting, { epoch: null, started_at: null });
    [keeper.asked, keeper.done, keeper.disk, keeper.oom_at] = [false, false, 'fits', null];
    const folder = folderOf(shop.data, keeper.id);
    if (seen) await removeContainer(shop.engine, seen.id);
    const making = { spec, kind, image, identity, folder, uid: uidFor(kept.uid) };
    const container = await shop.engine.docker.createContainer(createOptions(making));
    await within(attach_ms, keeper.console.begin(shop.engine, container.id));
    if (known(keeper).kept.facts.intent) return; // killed meanwhile
    await container.start();
    const now = await keeper.lookAgain();
    // gone already: it is settled at the next look
    if (!now || now.started_at === null) return;
    keeper.console.begun(epochOf(now.id, now.started_at));
    shop.journal.atOnce(() => {
      keeper.remember({ ...(keeper.kept?.facts ?? starting), broken: null }, {});
      // what was broken is mended: the plane hears it by the same word as the first time
      if (facts.broken) keeper.tell('server.installed', { generation: spec.generation });
    });
    if (keeper.done) keeper.ready();
  },

  async attach(keeper) {
    const { seen, shop } = keeper;
    if (!seen || seen.started_at === null) return;
    await within(attach_ms, keeper.console.resume(shop.engine, seen.id, epochOf(seen.id, seen.started_at)));
  },

  async adopt(keeper) {
    const { facts, spec } = known(keeper).kept;
    keeper.done = false;
    const started_at = keeper.seen?.started_at ?? null;
    // what was asked before this journal knew of it was done by another one
    keeper.remember({ ...facts, power: 'starting', started_at, restart_seq: spec.restart_seq });
    // its console is read from the first line on, and says whether it is done
  },

  async ask_to_stop(keeper, { intent }) {
    const { seen, shop } = keeper;
    const { kept, kind } = known(keeper);
    const { facts } = kept;
    const deadline = facts.intent?.deadline ?? shop.now() + kind.stop.grace_s * 1000;
    keeper.asked = true;
    if (keeper.disk === 'over') keeper.tell('server.warning', { code: 'disk_full', detail: '' });
    const stopping = { kind: facts.intent?.kind ?? intent, deadline, forced: false };
    keeper.remember({ ...facts, power: 'stopping', intent: stopping });
    // what still starts does not read what is typed
    const listens = facts.power !== 'starting';
    if (listens && (await keeper.console.write(kind.stop.command))) return;
    if (seen) await signal(shop.engine, seen.id, kind.stop.signal);
  },

  async force(keeper) {
    const { seen, shop } = keeper;
    const { facts } = known(keeper).kept;
    const { intent } = facts;
    if (!seen || !intent) return;
    shop.journal.atOnce(() => {
      keeper.remember({
        ...facts,
        power: 'stopping',
        intent: { ...intent, forced: true, deadline: shop.now() + killAgain_ms },
      });
      if (intent.kind !== 'kill' && !intent.forced)
        keeper.tell('server.warning', { code: 'stop_forced', detail: '' });
    });
    await signal(shop.engine, seen.id, 'SIGKILL');
  },

  async resize(keeper) {
    const { seen, shop } = keeper;
    const { kept, kind } = known(keeper);
    if (!seen) return;
    const { generation, resize_seq } = kept.spec;
    const at_start = (await changeLimits(shop.engine, seen.id, kept.spec, kind)) === 'at_start';
    shop.journal.atOnce(() => {
      keeper.remember({ ...known(keeper).kept.facts, resize_seq });
      keeper.tell('server.resized', { generation, at_start });
    });
  },

  async settle(keeper) {
    const { seen, shop } = keeper;
    if (seen && seen.started_at !== null) {
      const epoch = epochOf(seen.id, seen.started_at);
      if (keeper.console.epoch === epoch) await keeper.console.drained(lastWords_ms);
      else await within(attach_ms, keeper.console.resume(shop.engine, seen.id, epoch, false));
    }
    // asked again: an intent may have come while the last words were read
    const { kept } = known(keeper);
    const ended = settle(keeper.situation(kept));
    keeper.asked = false;
    const crashed = ended.power === 'crashed';
    keeper.remember(ended.facts, {
      exit_code: seen?.exit_code ?? null,
      out_of_memory: seen?.out_of_memory ?? false,
      last_lines: crashed ? newestLines(keeper.console.last(50), last_lines_max_bytes) : [],
    });
  },

  async fit_disk(keeper) {
    const { shop } = keeper;
    const { kept } = known(keeper);
    // whatever comes of it, it runs with what it has
    keeper.disk = 'fits';
    keeper.disk_again = shop.now() + fitAgain_ms;
    await shop.disks
      .ready(keeper.id, kept.uid, kept.spec.disk_mb)
      .catch((error) => shop.log.warn({ server_id: keeper.id, err: error }, 'A disk could not be mended'));
  },

  async tell_slow(keeper) {
    const { facts } = known(keeper).kept;
    keeper.remember({ ...facts, slow_told: true });
    keeper.tell('server.warning', { code: 'slow_start', detail: '' });
  },

  /** A server that must not exist: container, then folder, then what is remembered of it. */
  async leave(keeper) {
    const { shop, seen } = keeper;
    keeper.console.stop();
    if (seen) await removeContainer(shop.engine, seen.id);
    await shop.disks.remove(keeper.id);
    shop.journal.atOnce(() => {
      keeper.tell('server.deleted', {});
      shop.journal.servers.forget(keeper.id);
    });
  },
};

type Known = { kept: Kept & { spec: NonNullable<Kept['spec']> }; kind: Kind };

function known(keeper: Keeper): Known {
  const kept = keeper.kept;
  if (!kept?.spec) throw new Error(`server ${keeper.id} has no specification`);
  const kind = keeper.shop.kindOf(kept.spec);
  if (!kind) throw new Broken('kind_unknown', kept.spec.kind);
  return { kept: kept as Known['kept'], kind };
}

/** Ends `server` at once, whatever else is being done for it. Gives whether it ran. */
export async function kill(keeper: Keeper): Promise<boolean> {
  const { shop } = keeper;
  const kept = keeper.kept;
  if (!kept) return false;
  const alive = kept.facts.power !== 'stopped' && kept.facts.power !== 'crashed';
  if (alive) {
    const intent = { kind: 'kill', deadline: shop.now(), forced: true } as const;
    keeper.remember({ ...kept.facts, power: 'stopping', intent });
  }
  try {
    const seen = await look(shop.engine, shop.identity(), keeper.id);
    return seen ? await signal(shop.engine, seen.id, 'SIGKILL') : false;
  } catch (error) {
    // it is told as failed, so it must not happen later
    const now = keeper.kept;
    if (now?.facts.intent?.kind === 'kill') keeper.remember({ ...now.facts, ...before(kept) });
    if (refusedWith(error) === null) shop.engine.doubt();
    throw error;
  }
}

const before = ({ facts: { power, intent } }: Kept) => ({ power, intent });

/** Gives `work`'s answer, or counts the engine as away. */
async function within<T>(most_ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EngineAway('the engine took too long')), most_ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
