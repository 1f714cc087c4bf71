import type { ServerSpec, ToAgent } from '#control/protocol/agent.ts';
import { whyNotCommandText } from '#db/hosting/servers/rules.ts';
import type { AgentContext } from '../context.ts';
import { mustEnd, roomBelow } from '../disk/reserve.ts';
import type { DockerEvent } from '../docker/client.ts';
import { type ContainerSummary, listOwnContainers, removeContainer } from '../docker/containers.ts';
import { FileError } from '../files/file-error.ts';
import { ServerController } from '../server/controller.ts';
import { executor } from '../server/executor.ts';
import { ping, pingHost } from '../server/status-ping.ts';
import { Operations } from './operations.ts';
import { settleBackups } from './settle-backups.ts';
import { settleContent } from './settle-content.ts';

/** Containers with our labels and no known server are removed after this time. Source: hosting §5.5. */
const stray_after_ms = 10 * 60_000;
/** Docker events after which a server is inspected. */
const refresh_events = ['start', 'die', 'oom', 'destroy', 'pause', 'unpause', 'kill', 'stop'];

type WriteAnswer = Parameters<Parameters<ToAgent['console.write']>[1]>[0];

/** All servers of this node: one controller each, reconciled after each event and now and then (`intervals`). */
export class ServerRegistry {
  readonly controllers = new Map<string, ServerController>();
  readonly operations: Operations;
  readonly #context: AgentContext;
  readonly #onChange: () => void;
  readonly #strays = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #inventory_known = false;
  #closed = false;

  constructor(context: AgentContext, changed: () => void) {
    [this.#context, this.#onChange] = [context, changed];
    for (const { id } of context.store.servers.all()) this.#controllerOf(id);
    this.operations = new Operations(context, this.controllers);
  }

  start(): void {
    const { reconcile_ms } = this.#context.intervals;
    this.#timer = setInterval(() => this.#runInBackground(this.#reconcile()), reconcile_ms);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const controller of this.controllers.values()) controller.close();
  }

  /** Stores a specification; gives the generation that is stored. */
  applySpec(spec: ServerSpec): number {
    const controller = this.#controllerOf(spec.server_id);
    const slept = controller.stored?.state.held_reason === 'asleep';
    const generation = this.#context.store.servers.applySpec(spec);
    const state = controller.stored?.state;
    // it is off for good now, which is another thing to be told
    if (slept && state && state.held_reason !== 'asleep') controller.saveState(state, {});
    controller.reconcile();
    // its disk may have to grow
    if (controller.observed?.alive) this.#runInBackground(this.#checkLimits(controller));
    return generation;
  }

  /** A server whose files are here. Refuses `server_not_found`. */
  serverWithFiles(server_id: string): ServerController {
    const controller = this.controllers.get(server_id);
    if (!controller || controller.stored?.deleted) throw new FileError('server_not_found');
    return controller;
  }

  /** Marks a server as deleted; its removal follows. */
  markDeleted(server_id: string): void {
    this.#context.store.servers.markDeleted(server_id);
    this.#controllerOf(server_id).reconcile();
  }

  /** The control plane sent its inventory: from now on a container of an unknown server is a stray. */
  enableStrayRemoval(): void {
    this.#inventory_known = true;
  }

  /** Docker answers again: events were lost meanwhile, so everything is inspected. */
  onDockerUp(): void {
    if (this.#context.store.identity()) this.#runInBackground(this.#reconcile(true));
  }

  /** Writes one line to a console, at most once. */
  async writeConsole(server_id: string, text: string): Promise<WriteAnswer> {
    const controller = this.controllers.get(server_id);
    const stored = controller?.stored;
    if (!controller || !stored?.spec || !controller.observed?.alive)
      return { delivered: false, why: 'not_running' };
    if (whyNotCommandText(text)) return { delivered: false, why: 'failed' };
    // an end after the stop command is not a crash
    const stop_typed = text.trim() === this.#context.kindOf(stored.spec)?.stop.command;
    if (stop_typed !== stored.state.stop_typed) controller.saveState({ ...stored.state, stop_typed });
    return (await controller.console.write(text)) ? { delivered: true } : { delivered: false, why: 'failed' };
  }

  onDockerEvent({ server_id, container_id, action }: DockerEvent): void {
    if (!refresh_events.includes(action)) return;
    const controller = this.controllers.get(server_id);
    if (controller && action === 'oom') controller.oom_at ??= this.#context.now();
    // our own signals have an intent, which takes precedence
    if (controller && action === 'kill') controller.ended_by_engine = container_id;
    controller?.reconcile();
    this.#onChange();
  }

  #controllerOf(id: string): ServerController {
    const controller = this.controllers.get(id) ?? new ServerController(id, this.#context, executor);
    this.controllers.set(id, controller);
    return controller;
  }

  /** Runs work that is not awaited; errors after `close` are ignored. */
  #runInBackground(work: Promise<void>): void {
    work.catch(
      (error) => this.#closed || this.#context.log.error({ err: error }, 'Servers could not be reconciled'),
    );
  }

  async #reconcile(all = false): Promise<void> {
    const { docker, store, log, now } = this.#context;
    if (!docker.up() || !store.identity()) return;
    let listed: ContainerSummary[];
    try {
      listed = await listOwnContainers(docker, this.#context.identity());
      await this.operations.resolveInterrupted();
    } catch (error) {
      log.debug({ err: error }, 'Containers could not be listed');
      docker.recheck();
      return;
    }
    const found = new Map(listed.map((one) => [one.server_id, one]));
    for (const [id, controller] of this.controllers) {
      if (!controller.stored && !controller.busy) {
        controller.close();
        this.controllers.delete(id);
        continue;
      }
      const [observed, is] = [controller.observed, found.get(id)];
      const differs = observed?.id !== is?.id || (observed?.alive ?? false) !== (is?.alive ?? false);
      controller.countPlayers(this.#context.intervals.players_ms);
      if (all || differs) controller.reconcile();
      else controller.reconcile({ inspect: false });
      this.#runInBackground(settleBackups(controller));
      this.#runInBackground(settleContent(controller));
      if (controller.power() === 'starting') this.#runInBackground(this.#probeReadiness(controller));
      if (is?.alive) this.#runInBackground(this.#checkLimits(controller));
    }
    store.operations.purge(now());
    await this.#removeStrays(listed.filter(({ server_id }) => !this.controllers.has(server_id)));
    this.#onChange();
  }

  /** Pings a server that is up and did not log its ready line. */
  async #probeReadiness(controller: ServerController): Promise<void> {
    const port = controller.stored?.spec?.port;
    if (
      port &&
      controller.observed?.alive &&
      (await ping(pingHost(this.#context.identity().node.bind_address), port))
    )
      controller.markRunning();
  }

  /** Checks its disk usage, and whether a process in it, other than its main one, ran out of memory. */
  async #checkLimits(controller: ServerController): Promise<void> {
    const { now, usedMb, disks, intervals } = this.#context;
    if (
      controller.oom_at !== null &&
      now() - controller.oom_at > intervals.oom_child_after_ms &&
      controller.observed?.alive
    ) {
      controller.oom_at = null;
      controller.report('server.warning', { code: 'oom_child', detail: '' });
    }
    const disk_limit_mb = controller.stored?.spec?.disk_mb;
    if (disk_limit_mb === undefined) return;
    const full = (await usedMb(controller.id)) >= disk_limit_mb;
    const { needs_preparation, enforces_limit } = await disks.status(controller.id, disk_limit_mb);
    // a disk that enforces its limit keeps running: deleting files frees space
    if (full && enforces_limit && !needs_preparation && !controller.disk_full_reported)
      controller.report('server.warning', { code: 'disk_full', detail: '' });
    controller.disk_full_reported = full;
    const mends = needs_preparation && now() >= controller.disk_retry_at;
    const ends = (full && !enforces_limit) || mustEnd(await roomBelow(this.#context.data), enforces_limit);
    const disk = ends ? 'over' : mends ? 'unprepared' : 'fits';
    if (disk === controller.disk) return;
    controller.disk = disk;
    controller.reconcile();
  }

  async #removeStrays(strays: ContainerSummary[]): Promise<void> {
    const { log, now, docker } = this.#context;
    const ids = new Set(strays.map(({ id }) => id));
    for (const id of this.#strays.keys()) if (!ids.has(id)) this.#strays.delete(id);
    if (!this.#inventory_known) return;
    for (const { id, server_id } of strays) {
      const since = this.#strays.get(id) ?? now();
      if (!this.#strays.has(id))
        log.warn({ server_id, container_id: id }, 'Found a container of an unknown server');
      this.#strays.set(id, since);
      if (now() - since < stray_after_ms) continue;
      log.warn({ server_id, container_id: id }, 'Removing the container of an unknown server');
      await removeContainer(docker, id).catch((error) =>
        log.warn({ err: error }, 'The container could not be removed'),
      );
    }
  }
}
