import { z } from 'zod';
import { announcePresence } from '#db/hosting/servers/people/announce.ts';
import { presentPeople } from '#db/hosting/servers/people/read.ts';
import type { PersonHere } from '#db/hosting/servers/people/view.ts';
import { roomOf } from '../console/rooms.ts';
import type { PlaneContext } from '../context.ts';
import { createBatcher } from '../sockets/batcher.ts';
import type { PanelConnection, PanelSubscriptions } from './subscriptions.ts';

/** Somebody who goes to another page of the panel is away for a moment. */
const away_ms = 2_000;
/** People that are shown of a server. */
const max_shown = 60;

/** What planes tell each other: who is at one of them. `ask`: whoever else has people of the server tells it too. */
const announcement = z.object({
  plane: z.string(),
  server: z.string(),
  users: z.array(z.string()),
  ask: z.boolean(),
});

type Context = Pick<PlaneContext, 'id' | 'sql' | 'settings' | 'log' | 'changes'> & { io: PlaneContext['io'] };

/**
 * Who has the panel of which server open, at all planes. Nothing of it is stored: each plane tells the others when somebody
 * comes or goes, by a notification of Postgres, and those of a plane that died are forgotten.
 */
export class Presence {
  readonly #context: Context;
  readonly #subscriptions: PanelSubscriptions;
  /** Of servers with people here: those that were told to the other planes. */
  readonly #here = new Map<string, readonly string[]>();
  /** By server and plane. */
  readonly #elsewhere = new Map<string, Map<string, readonly string[]>>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #changed: ReturnType<typeof createBatcher>;
  readonly #onChange = (what: string) => {
    if (what === 'everything') for (const id of this.#here.keys()) void this.#announce(id, true);
    if (what.startsWith('presence:')) this.#hear(what.slice('presence:'.length));
  };

  constructor(context: Context, subscriptions: PanelSubscriptions) {
    this.#context = context;
    this.#subscriptions = subscriptions;
    this.#changed = createBatcher(
      (ids) => this.#update(ids),
      (err) => context.log.debug({ err }, 'Who is here could not be told, will retry'),
    );
    subscriptions.onPeople = {
      came: (connection, server_id) => this.#came(connection, server_id),
      left: (server_id) => this.#left(server_id),
    };
    context.changes.on('change', this.#onChange);
  }

  #came(connection: PanelConnection, server_id: string): void {
    this.#changed.add(server_id);
    // whoever is the second window of a person changes nothing for the others
    void this.#peopleOf(server_id).then(
      (people) => connection.socket.emit('presence', { server_id, people }),
      () => {},
    );
  }

  #left(server_id: string): void {
    clearTimeout(this.#leaving.get(server_id));
    const later = () => {
      this.#leaving.delete(server_id);
      this.#changed.add(server_id);
    };
    this.#leaving.set(server_id, setTimeout(later, away_ms).unref());
  }

  async #update(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const before = this.#here.get(id) ?? [];
      const now = this.#subscriptions.peopleAt(id);
      // those who left come back or not: the timer says so
      const users = this.#leaving.has(id) ? [...new Set([...before, ...now])].sort() : now;
      if (users.length > 0) this.#here.set(id, users);
      else this.#here.delete(id);
      if (JSON.stringify(before) === JSON.stringify(users)) continue;
      await this.#announce(id, before.length === 0);
      await this.#broadcast(id);
    }
  }

  async #announce(server: string, ask: boolean): Promise<void> {
    const users = (this.#here.get(server) ?? []).slice(0, max_shown);
    const text = JSON.stringify({ plane: this.#context.id, server, users, ask });
    try {
      await announcePresence(this.#context.sql, text);
    } catch (err) {
      this.#context.log.debug({ err }, 'Who is here could not be told');
    }
  }

  #hear(text: string): void {
    const { data } = announcement.safeParse(JSON.parse(text));
    if (!data || data.plane === this.#context.id) return;
    const { plane, server, users, ask } = data;
    const planes = this.#elsewhere.get(server) ?? new Map<string, readonly string[]>();
    if (users.length > 0) planes.set(plane, users);
    else planes.delete(plane);
    if (planes.size > 0) this.#elsewhere.set(server, planes);
    else this.#elsewhere.delete(server);
    if (!this.#here.has(server)) return;
    if (ask) void this.#announce(server, false);
    void this.#broadcast(server);
  }

  /** Forgets who was at planes that are not among these any more. */
  keep(planes: readonly { id: string }[]): void {
    const alive = new Set(planes.map(({ id }) => id));
    for (const [server, there] of this.#elsewhere) {
      const dead = [...there.keys()].filter((id) => !alive.has(id));
      for (const id of dead) there.delete(id);
      if (there.size === 0) this.#elsewhere.delete(server);
      if (dead.length > 0 && this.#here.has(server)) void this.#broadcast(server);
    }
  }

  async #peopleOf(server: string): Promise<PersonHere[]> {
    const elsewhere = [...(this.#elsewhere.get(server)?.values() ?? [])].flat();
    const here = [...(this.#here.get(server) ?? []), ...this.#subscriptions.peopleAt(server)];
    const users = [...new Set([...here, ...elsewhere])].slice(0, max_shown);
    return await presentPeople(this.#context.sql, this.#context.settings, users);
  }

  async #broadcast(server_id: string): Promise<void> {
    try {
      const people = await this.#peopleOf(server_id);
      this.#context.io.of('/server').to(roomOf(server_id, 'state')).emit('presence', { server_id, people });
    } catch (err) {
      this.#context.log.debug({ err }, 'Who is here could not be read');
    }
  }

  close(): void {
    this.#context.changes.off('change', this.#onChange);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    this.#changed.stop();
  }
}
