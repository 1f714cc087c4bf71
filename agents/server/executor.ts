import { max_last_lines_bytes } from '#control/protocol/agent.ts';
import { epochOf } from '../console/console.ts';
import { folderOf, uidFor } from '../disk/folders.ts';
import { DockerUnavailable, statusOf } from '../docker/client.ts';
import { createOptions, inspectServer, removeContainer, signal, updateLimits } from '../docker/containers.ts';
import { portsInUse } from '../docker/ports.ts';
import { newestLines } from '../session/event-size.ts';
import type { StoredServer } from '../state/servers.ts';
import type { ServerController } from './controller.ts';
import type { Kind } from './kinds.ts';
import { exitOf, type Step } from './plan.ts';
import { StepError } from './step-error.ts';

/** How each step of the plan is done. Every one may be cut off anywhere: the next look finds what is left to do. */
type StepExecutors = {
  [S in Exclude<Step['do'], 'nothing' | 'wait'>]: (
    controller: ServerController,
    step: Extract<Step, { do: S }>,
  ) => Promise<void>;
};

/** An engine that takes longer than this to attach is away. */
const attach_timeout_ms = 30_000;
/** How long the last words of an ended process may take to arrive. */
const drain_timeout_ms = 3_000;
/** After this a container that was sent SIGKILL is sent it again. */
const kill_retry_ms = 10_000;
/** Until the disk of a server that runs is seen to again. */
const disk_retry_ms = 60_000;

export const executor: StepExecutors & { remove: (controller: ServerController) => Promise<void> } = {
  async install(controller) {
    const { stored, kind } = requireSpec(controller);
    const { context } = controller;
    await context.ensureImage(kind.image(stored.spec));
    await context.disks.prepare(controller.id, stored.uid, stored.spec.disk_mb, true);
    context.store.transaction(() => {
      const now = requireSpec(controller).stored;
      const { generation: installed_generation, resize_seq } = stored.spec;
      controller.saveState({ ...now.state, installed_generation, resize_seq, broken: null });
      controller.report('server.installed', { generation: stored.spec.generation });
    });
  },

  async start(controller) {
    const { context, observed } = controller;
    const { stored, kind } = requireSpec(controller);
    const { spec } = stored;
    const identity = context.identity();
    if ((await portsInUse(context.docker, identity)).has(spec.port)) throw new StepError('port_taken');
    // a container over a folder that is not mounted would write into the wrong place
    await context.disks.prepare(controller.id, stored.uid, spec.disk_mb, true);
    if ((await context.usedMb(controller.id, 'now')) >= spec.disk_mb) throw new StepError('disk_full');
    const image = await context.ensureImage(kind.image(spec));
    await context.prepareNetwork();
    const { state, spec: wanted } = requireSpec(controller).stored;
    if (wanted.generation !== spec.generation) return; // planned anew
    const starting = {
      ...state,
      power: 'starting',
      held_reason: null,
      crashes: spec.restart_seq > state.restart_seq ? [] : state.crashes,
      restart_seq: spec.restart_seq,
      stop_typed: false,
      slow_told: false,
      started_at: context.now(),
    } as const;
    controller.saveState(starting, { epoch: null, started_at: null });
    [controller.stop_requested, controller.startup_done, controller.disk, controller.oom_at] = [
      false,
      false,
      'fits',
      null,
    ];
    const folder = folderOf(context.data, controller.id);
    if (observed) await removeContainer(context.docker, observed.id);
    const making = { spec, kind, image, identity, folder, uid: uidFor(stored.uid) };
    const container = await context.docker.api.createContainer(createOptions(making));
    await withTimeout(attach_timeout_ms, controller.console.begin(context.docker, container.id));
    if (requireSpec(controller).stored.state.intent) return; // killed meanwhile
    await container.start();
    const now = await controller.refresh();
    // gone already: it is settled at the next look
    if (!now || now.started_at === null) return;
    controller.console.started(epochOf(now.id, now.started_at));
    context.store.transaction(() => {
      controller.saveState({ ...(controller.stored?.state ?? starting), broken: null }, {});
      // what was broken is mended: the plane hears it by the same word as the first time
      if (state.broken) controller.report('server.installed', { generation: spec.generation });
    });
    if (controller.startup_done) controller.markRunning();
  },

  async attach(controller) {
    const { observed, context } = controller;
    if (!observed || observed.started_at === null) return;
    await withTimeout(
      attach_timeout_ms,
      controller.console.resume(context.docker, observed.id, epochOf(observed.id, observed.started_at)),
    );
  },

  async adopt(controller) {
    const { state, spec } = requireSpec(controller).stored;
    controller.startup_done = false;
    const started_at = controller.observed?.started_at ?? null;
    // what was asked before this journal knew of it was done by another one
    controller.saveState({ ...state, power: 'starting', started_at, restart_seq: spec.restart_seq });
    // its console is read from the first line on, and says whether it is done
  },

  async stop(controller, { intent }) {
    const { observed, context } = controller;
    const { stored, kind } = requireSpec(controller);
    const { state } = stored;
    const deadline = state.intent?.deadline ?? context.now() + kind.stop.grace_s * 1000;
    controller.stop_requested = true;
    if (controller.disk === 'over') controller.report('server.warning', { code: 'disk_full', detail: '' });
    const stopping = { kind: state.intent?.kind ?? intent, deadline, forced: false };
    controller.saveState({ ...state, power: 'stopping', intent: stopping });
    // what still starts does not read what is typed
    const listens = state.power !== 'starting';
    if (listens && (await controller.console.write(kind.stop.command))) return;
    if (observed) await signal(context.docker, observed.id, kind.stop.signal);
  },

  async force_stop(controller) {
    const { observed, context } = controller;
    const { state } = requireSpec(controller).stored;
    const { intent } = state;
    if (!observed || !intent) return;
    context.store.transaction(() => {
      controller.saveState({
        ...state,
        power: 'stopping',
        intent: { ...intent, forced: true, deadline: context.now() + kill_retry_ms },
      });
      if (intent.kind !== 'kill' && !intent.forced)
        controller.report('server.warning', { code: 'stop_forced', detail: '' });
    });
    await signal(context.docker, observed.id, 'SIGKILL');
  },

  async resize(controller) {
    const { observed, context } = controller;
    const { stored, kind } = requireSpec(controller);
    if (!observed) return;
    const { generation, resize_seq } = stored.spec;
    const at_start = (await updateLimits(context.docker, observed.id, stored.spec, kind)) === 'at_start';
    context.store.transaction(() => {
      controller.saveState({ ...requireSpec(controller).stored.state, resize_seq });
      controller.report('server.resized', { generation, at_start });
    });
  },

  async record_exit(controller) {
    const { observed, context } = controller;
    if (observed && observed.started_at !== null) {
      const epoch = epochOf(observed.id, observed.started_at);
      if (controller.console.epoch === epoch) await controller.console.drained(drain_timeout_ms);
      else
        await withTimeout(
          attach_timeout_ms,
          controller.console.resume(context.docker, observed.id, epoch, false),
        );
    }
    // asked again: an intent may have come while the last words were read
    const { stored } = requireSpec(controller);
    const ended = exitOf(controller.planInput(stored));
    controller.stop_requested = false;
    const crashed = ended.power === 'crashed';
    controller.saveState(ended.state, {
      exit_code: observed?.exit_code ?? null,
      out_of_memory: observed?.out_of_memory ?? false,
      last_lines: crashed ? newestLines(controller.console.last(50), max_last_lines_bytes) : [],
    });
  },

  async prepare_disk(controller) {
    const { context } = controller;
    const { stored } = requireSpec(controller);
    // whatever comes of it, it runs with what it has
    controller.disk = 'fits';
    controller.disk_retry_at = context.now() + disk_retry_ms;
    await context.disks
      .prepare(controller.id, stored.uid, stored.spec.disk_mb)
      .catch((error) =>
        context.log.warn({ server_id: controller.id, err: error }, 'A disk could not be mended'),
      );
  },

  async warn_slow(controller) {
    const { state } = requireSpec(controller).stored;
    controller.saveState({ ...state, slow_reported: true });
    controller.report('server.warning', { code: 'slow_start', detail: '' });
  },

  /** A server that must not exist: container, then folder, then what is remembered of it. */
  async remove(controller) {
    const { context, observed } = controller;
    controller.console.stop();
    if (observed) await removeContainer(context.docker, observed.id);
    await context.disks.remove(controller.id);
    context.store.transaction(() => {
      controller.report('server.deleted', {});
      context.store.servers.delete(controller.id);
    });
  },
};

type InstalledServer = { stored: StoredServer & { spec: NonNullable<StoredServer['spec']> }; kind: Kind };

function requireSpec(controller: ServerController): InstalledServer {
  const stored = controller.stored;
  if (!stored?.spec) throw new Error(`server ${controller.id} has no specification`);
  const kind = controller.context.kindOf(stored.spec);
  if (!kind) throw new StepError('kind_unknown', stored.spec.kind);
  return { stored: stored as InstalledServer['stored'], kind };
}

/** Ends `server` at once, whatever else is being done for it. Gives whether it ran. */
export async function kill(controller: ServerController): Promise<boolean> {
  const { context } = controller;
  const stored = controller.stored;
  if (!stored) return false;
  const alive = stored.state.power !== 'stopped' && stored.state.power !== 'crashed';
  if (alive) {
    const intent = { kind: 'kill', deadline: context.now(), forced: true } as const;
    controller.saveState({ ...stored.state, power: 'stopping', intent });
  }
  try {
    const observed = await inspectServer(context.docker, context.identity(), controller.id);
    return observed ? await signal(context.docker, observed.id, 'SIGKILL') : false;
  } catch (error) {
    // it is told as failed, so it must not happen later
    const now = controller.stored;
    if (now?.state.intent?.kind === 'kill') controller.saveState({ ...now.state, ...powerAndIntent(stored) });
    if (statusOf(error) === null) context.docker.recheck();
    throw error;
  }
}

const powerAndIntent = ({ state: { power, intent } }: StoredServer) => ({ power, intent });

/** Gives `work`'s answer, or counts the engine as away. */
async function withTimeout<T>(timeout_ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DockerUnavailable('the engine took too long')), timeout_ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
