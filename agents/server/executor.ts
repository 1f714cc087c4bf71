import { max_last_lines_bytes } from '#control/protocol/agent.ts';
import { type OwnEvent, ownText } from '#db/hosting/servers/own-events.ts';
import { epochOf } from '../console/console.ts';
import { folderOf, uidFor } from '../disk/folders.ts';
import { roomBelow } from '../disk/reserve.ts';
import { DockerUnavailable } from '../docker/client.ts';
import { createOptions, removeContainer, signal, updateLimits } from '../docker/containers.ts';
import { portsInUse } from '../docker/ports.ts';
import { StepError } from '../docker/step-error.ts';
import { exitOf, whyStarted } from '../plan/plan.ts';
import { newestLines } from '../state/event-size.ts';
import { sleepSteps } from './sleep-steps.ts';
import { type Executor, requireSpec, type StepContext } from './step.ts';

/** After this time without an attached console Docker counts as unavailable. */
const attach_timeout_ms = 30_000;
/** Time for the last lines of an ended process to arrive. */
const drain_timeout_ms = 3_000;
/** Pause before SIGKILL is sent again. */
const kill_retry_ms = 10_000;
/** Pause before the disk of a running server is prepared again. */
const disk_retry_ms = 60_000;

export const executor: Executor = {
  ...sleepSteps,

  async install(server) {
    const { stored, kind } = requireSpec(server);
    const { context } = server;
    await context.ensureImage(kind.image(stored.spec));
    await context.disks.prepare(server.id, stored.uid, stored.spec.disk_mb, true);
    context.store.transaction(() => {
      const now = requireSpec(server).stored;
      const { generation: installed_generation, resize_seq } = stored.spec;
      server.saveState({ ...now.state, installed_generation, resize_seq, broken: null });
      server.report('server.installed', { generation: stored.spec.generation });
    });
  },

  async start(server) {
    const { context, observed } = server;
    const { stored, kind } = requireSpec(server);
    const { spec } = stored;
    const identity = context.identity();
    const listening = context.sleepers.ports();
    const used = await portsInUse(context.docker, identity, { server_id: server.id, listening });
    if (used.has(spec.port)) {
      await server.console.note(ownText('port_taken', spec.port));
      throw new StepError('port_taken');
    }
    const extra_ports = spec.extra_ports.filter((port) => !used.has(port));
    // a container over a folder that is not mounted would write to the wrong place
    await context.disks.prepare(server.id, stored.uid, spec.disk_mb, true);
    if ((await context.usedMb(server.id, 'now')) >= spec.disk_mb) throw new StepError('disk_full');
    if ((await roomBelow(context.data)) !== 'enough')
      throw new StepError('machine_full', 'the disk of this machine is nearly full');
    const image = await context.ensureImage(kind.image(spec));
    await context.prepareNetwork();
    const { state, spec: desired } = requireSpec(server).stored;
    if (desired.generation !== spec.generation) return; // a new plan is due
    const starting = {
      ...state,
      power: 'starting',
      held_reason: null,
      woken: false,
      crashes: spec.restart_seq > state.restart_seq ? [] : state.crashes,
      restart_seq: spec.restart_seq,
      stop_typed: false,
      was_off: false,
      slow_reported: false,
      started_at: context.now(),
    } as const;
    server.saveState(starting, { epoch: null, started_at: null });
    [server.stop_requested, server.startup_done, server.disk, server.oom_at] = [false, false, 'fits', null];
    const folder = folderOf(context.data, server.id);
    // the game matters more than a port beside it
    if (extra_ports.length < spec.extra_ports.length) {
      const detail = spec.extra_ports.filter((port) => used.has(port)).join(', ');
      server.report('server.warning', { code: 'extra_port_taken', detail });
    }
    if (observed) await removeContainer(context.docker, observed.id);
    const making = { spec: { ...spec, extra_ports }, kind, image, identity, folder, uid: uidFor(stored.uid) };
    const container = await context.docker.api.createContainer(createOptions(making));
    const opening = whyStarted(spec, state);
    await withTimeout(attach_timeout_ms, server.console.begin(context.docker, container.id, opening));
    if (requireSpec(server).stored.state.intent) return; // killed meanwhile
    // the container needs the port: until now players were let wait
    context.sleepers.endListening(server.id);
    await container.start();
    const now = await server.refresh();
    // ended already: the next inspection records its exit
    if (!now || now.started_at === null) return;
    server.console.started(epochOf(now.id, now.started_at));
    context.store.transaction(() => {
      server.saveState({ ...(server.stored?.state ?? starting), broken: null }, {});
      // the error is over: the control plane learns it by the same event as after the installation
      if (state.broken) server.report('server.installed', { generation: spec.generation });
    });
    if (server.startup_done) server.markRunning();
  },

  async attach(server) {
    const { observed, context } = server;
    if (!observed || observed.started_at === null) return;
    await withTimeout(
      attach_timeout_ms,
      server.console.resume(context.docker, observed.id, epochOf(observed.id, observed.started_at)),
    );
  },

  async adopt(server) {
    const { state, spec } = requireSpec(server).stored;
    server.startup_done = false;
    const started_at = server.observed?.started_at ?? null;
    // requests from before this database knew the server were handled by another one
    server.saveState({ ...state, power: 'starting', started_at, restart_seq: spec.restart_seq });
    // its console is read from the first line on, which shows whether players may join
  },

  async stop(server, { intent }) {
    const { observed, context } = server;
    const { stored, kind } = requireSpec(server);
    const { state } = stored;
    const deadline = state.intent?.deadline ?? context.now() + kind.stop.grace_s * 1000;
    server.stop_requested = true;
    if (server.disk === 'over') server.report('server.warning', { code: 'disk_full', detail: '' });
    const stopping = { kind: state.intent?.kind ?? intent, deadline, forced: false };
    server.saveState({ ...state, power: 'stopping', intent: stopping });
    // with an intent an earlier agent asked already
    if (!state.intent) await server.console.note(whyStopped(server, intent));
    // a process that is still starting does not read its console
    const listens = state.power !== 'starting';
    if (listens && (await server.console.writeUnseen(kind.stop.command))) return;
    if (observed) await signal(context.docker, observed.id, kind.stop.signal);
  },

  async force_stop(server) {
    const { observed, context } = server;
    const { state } = requireSpec(server).stored;
    const { intent } = state;
    if (!observed || !intent) return;
    context.store.transaction(() => {
      server.saveState({
        ...state,
        power: 'stopping',
        intent: { ...intent, forced: true, deadline: context.now() + kill_retry_ms },
      });
      if (intent.kind !== 'kill' && !intent.forced)
        server.report('server.warning', { code: 'stop_forced', detail: '' });
    });
    await signal(context.docker, observed.id, 'SIGKILL');
  },

  async resize(server) {
    const { observed, context } = server;
    const { stored, kind } = requireSpec(server);
    if (!observed) return;
    const { generation, resize_seq } = stored.spec;
    const at_start = (await updateLimits(context.docker, observed.id, stored.spec, kind)) === 'at_start';
    context.store.transaction(() => {
      server.saveState({ ...requireSpec(server).stored.state, resize_seq });
      server.report('server.resized', { generation, at_start });
    });
  },

  async record_exit(server) {
    const { observed, context } = server;
    if (observed && observed.started_at !== null) {
      const epoch = epochOf(observed.id, observed.started_at);
      if (server.console.epoch === epoch) await server.console.drained(drain_timeout_ms);
      else
        await withTimeout(
          attach_timeout_ms,
          server.console.resume(context.docker, observed.id, epoch, false),
        );
    }
    // read again: an intent may have been stored while the last lines were read
    const { stored } = requireSpec(server);
    const ended = exitOf(server.planInput(stored));
    server.stop_requested = false;
    const crashed = ended.power === 'crashed';
    server.saveState(ended.state, {
      exit_code: observed?.exit_code ?? null,
      out_of_memory: observed?.out_of_memory ?? false,
      last_lines: crashed ? newestLines(server.console.last(50), max_last_lines_bytes) : [],
    });
  },

  async prepare_disk(server) {
    const { context } = server;
    const { stored } = requireSpec(server);
    // whatever the result, the server keeps running with the disk it has
    server.disk = 'fits';
    server.disk_retry_at = context.now() + disk_retry_ms;
    await context.disks
      .prepare(server.id, stored.uid, stored.spec.disk_mb)
      .catch((error) =>
        context.log.warn({ server_id: server.id, err: error }, 'A disk could not be prepared'),
      );
  },

  async warn_slow(server) {
    const { state } = requireSpec(server).stored;
    server.saveState({ ...state, slow_reported: true });
    server.report('server.warning', { code: 'slow_start', detail: '' });
  },

  /** Removes container, files and stored state of a deleted server, in this order. */
  async remove(server) {
    const { context, observed } = server;
    server.console.stop();
    context.sleepers.forget(server.id);
    if (observed) await removeContainer(context.docker, observed.id);
    await context.disks.remove(server.id);
    await context.backups.removeServer(server.id);
    context.store.transaction(() => {
      server.report('server.deleted', {});
      context.store.servers.delete(server.id);
    });
  },
};

/** The line of the console that says why a running server stops. */
function whyStopped(server: StepContext, intent: 'stop' | 'restart' | 'sleep'): string {
  const { power, suspended, power_by } = requireSpec(server).stored.spec;
  if (suspended) return ownText('stopped_suspended');
  if (power === 'on' && intent === 'stop') return ownText('stopped_disk_full');
  const event: OwnEvent = intent === 'restart' ? 'restart_requested' : 'stop_requested';
  return ownText(event, power_by);
}

/** Gives the result of `work`. Throws `DockerUnavailable` after `timeout_ms`. */
async function withTimeout<T>(timeout_ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DockerUnavailable('Docker took too long')), timeout_ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
