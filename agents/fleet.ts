import type { ServerSpec, ToAgent } from '#control/protocol/agent.ts';
import { whyNotCommandText } from '#db/servers/rules.ts';
import { type Listed, listOwn, removeContainer } from './containers.ts';
import type { EngineEvent } from './engine.ts';
import { Keeper } from './keeper.ts';
import { Operations } from './operations.ts';
import { hostOf } from './stats.ts';
import { ping } from './status-ping.ts';
import type { Workshop } from './workshop.ts';

const reconcile_ms = 10_000;
/** Containers with our labels and no server that we know of are removed after this. Source: hosting §5.5. */
const stray_ms = 10 * 60_000;
/** What lives this long after the engine said that memory ran out was not what had to die. */
const surviving_ms = 5_000;
/** Events of the engine after which a server is looked at. */
const telling = ['start', 'die', 'oom', 'destroy', 'pause', 'unpause', 'kill', 'stop'];

type Typing = Parameters<Parameters<ToAgent['console.write']>[1]>[0];

/** All servers of this node: one keeper each, looked at every 10 s and whenever something says so. */
export class Fleet {
  readonly keepers = new Map<string, Keeper>();
  readonly operations: Operations;
  readonly #shop: Workshop;
  readonly #changed: () => void;
  readonly #strays = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #reconciled = false;
  #closed = false;

  constructor(shop: Workshop, changed: () => void) {
    [this.#shop, this.#changed] = [shop, changed];
    for (const { id } of shop.journal.servers.all()) this.#keeper(id);
    this.operations = new Operations(shop, this.keepers);
  }

  begin(): void {
    this.#timer = setInterval(() => this.#begin(this.#reconcile()), reconcile_ms);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const keeper of this.keepers.values()) keeper.close();
  }

  /** Keeps what is wanted of a server; gives the generation that is kept. */
  put(spec: ServerSpec): number {
    const generation = this.#shop.journal.servers.accept(spec);
    const keeper = this.#keeper(spec.server_id);
    keeper.kick();
    // its disk may be larger from now on
    if (keeper.seen?.alive) this.#begin(this.#measures(keeper));
    return generation;
  }

  /** A server must not exist here. */
  drop(server_id: string): void {
    this.#shop.journal.servers.markGone(server_id);
    this.#keeper(server_id).kick();
  }

  /** The plane said which servers there are: from now on a container of another one is a stray. */
  known(): void {
    this.#reconciled = true;
  }

  /** The engine answers (again): what it said meanwhile is lost, so everything is looked at. */
  engineUp(): void {
    if (this.#shop.journal.identity()) this.#begin(this.#reconcile(true));
  }

  /** Types one line into a console, once. */
  async type(server_id: string, text: string): Promise<Typing> {
    const keeper = this.keepers.get(server_id);
    const kept = keeper?.kept;
    if (!keeper || !kept?.spec || !keeper.seen?.alive) return { delivered: false, why: 'not_running' };
    if (whyNotCommandText(text)) return { delivered: false, why: 'failed' };
    // an end after the command that stops it is no crash
    const stop_typed = text.trim() === this.#shop.kindOf(kept.spec)?.stop.command;
    if (stop_typed !== kept.facts.stop_typed) keeper.remember({ ...kept.facts, stop_typed });
    return (await keeper.console.write(text)) ? { delivered: true } : { delivered: false, why: 'failed' };
  }

  engineTold({ server_id, container_id, action }: EngineEvent): void {
    if (!telling.includes(action)) return;
    const keeper = this.keepers.get(server_id);
    if (keeper && action === 'oom') keeper.oom_at ??= this.#shop.now();
    // what we send ourselves has an intent, which counts more
    if (keeper && action === 'kill') keeper.ended_by_engine = container_id;
    keeper?.kick();
    this.#changed();
  }

  #keeper(id: string): Keeper {
    const keeper = this.keepers.get(id) ?? new Keeper(id, this.#shop);
    this.keepers.set(id, keeper);
    return keeper;
  }

  /** Work that nobody waits for; what fails after the end is nobody's trouble. */
  #begin(work: Promise<void>): void {
    work.catch(
      (error) => this.#closed || this.#shop.log.error({ err: error }, 'Servers could not be looked at'),
    );
  }

  async #reconcile(all = false): Promise<void> {
    const { engine, journal, log, now } = this.#shop;
    if (!engine.up() || !journal.identity()) return;
    let listed: Listed[];
    try {
      listed = await listOwn(engine, this.#shop.identity());
      await this.operations.resolveInterrupted();
    } catch (error) {
      log.debug({ err: error }, 'The containers could not be listed');
      engine.doubt();
      return;
    }
    const found = new Map(listed.map((one) => [one.server_id, one]));
    for (const [id, keeper] of this.keepers) {
      if (!keeper.kept && !keeper.busy) {
        keeper.close();
        this.keepers.delete(id);
        continue;
      }
      const [seen, is] = [keeper.seen, found.get(id)];
      const differs = seen?.id !== is?.id || (seen?.alive ?? false) !== (is?.alive ?? false);
      if (all || differs) keeper.kick();
      else keeper.kick({ look: false });
      if (keeper.power() === 'starting') this.#begin(this.#asks(keeper));
      if (is?.alive) this.#begin(this.#measures(keeper));
    }
    journal.operations.forgetOld(now());
    await this.#removeStrays(listed.filter(({ server_id }) => !this.keepers.has(server_id)));
    this.#changed();
  }

  /** A server that is up without having said so: the game itself is asked. */
  async #asks(keeper: Keeper): Promise<void> {
    const port = keeper.kept?.spec?.port;
    if (port && keeper.seen?.alive && (await ping(hostOf(this.#shop), port))) keeper.ready();
  }

  /** Whether it has more on its disk than it may; and whether something in it, not itself, had no memory left. */
  async #measures(keeper: Keeper): Promise<void> {
    const { now, usedMb, disks } = this.#shop;
    if (keeper.oom_at !== null && now() - keeper.oom_at > surviving_ms && keeper.seen?.alive) {
      keeper.oom_at = null;
      keeper.tell('server.warning', { code: 'oom_child', detail: '' });
    }
    const most = keeper.kept?.spec?.disk_mb;
    if (most === undefined) return;
    const full = (await usedMb(keeper.id)) >= most;
    const { unfit, keeps } = await disks.look(keeper.id, most);
    // what keeps its limit itself runs on: there is room again as soon as something is deleted
    if (full && keeps && !unfit && !keeper.disk_told)
      keeper.tell('server.warning', { code: 'disk_full', detail: '' });
    keeper.disk_told = full;
    const mends = unfit && now() >= keeper.disk_again;
    const disk = mends ? 'unfit' : full && !keeps ? 'over' : 'fits';
    if (disk === keeper.disk) return;
    keeper.disk = disk;
    keeper.kick();
  }

  async #removeStrays(strays: Listed[]): Promise<void> {
    const { log, now, engine } = this.#shop;
    const ids = new Set(strays.map(({ id }) => id));
    for (const id of this.#strays.keys()) if (!ids.has(id)) this.#strays.delete(id);
    if (!this.#reconciled) return;
    for (const { id, server_id } of strays) {
      const since = this.#strays.get(id) ?? now();
      if (!this.#strays.has(id)) log.warn({ server_id, container_id: id }, 'A container of no known server');
      this.#strays.set(id, since);
      if (now() - since < stray_ms) continue;
      log.warn({ server_id, container_id: id }, 'Removing the container of no known server');
      await removeContainer(engine, id).catch((error) => log.warn({ err: error }, 'It could not be removed'));
    }
  }
}
