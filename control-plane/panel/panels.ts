import type { Socket } from 'socket.io';
import type { RefusalCode } from '#db/errors.ts';
import { Refused } from '#db/errors.ts';
import { noticesFor } from '#db/notices/read.ts';
import { actorsOf } from '#db/people/read.ts';
import type { Actor } from '#db/people/rules.ts';
import { type KnownServer, serversById } from '#db/servers/read.ts';
import { type ServerFacts, whyNotSee } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import type { Hub } from '../hub.ts';
import { notOk } from '../listen.ts';
import type { Room } from '../protocol.ts';
import { roomOf } from '../rooms.ts';

/** A person's open connection and which rooms of which servers it is in. */
export interface Viewer {
  socket: Socket;
  token: string;
  locale: string;
  actor: Actor;
  joined: Map<string, Joined>;
}

/** How a server was when it was read last; whoever hears that it changed reads it again. */
interface Joined extends Where {
  rooms: Set<Room>;
}

type Where = Pick<KnownServer, 'facts' | 'node_id'>;

/** Rooms of a suspended server: one sees that it is, and what becomes of it. */
export const suspendedRooms: readonly Room[] = ['state', 'tasks'];

/** Everybody connected to `/server` here: what they are told, and who must leave. Source: hosting §5.2. */
export class Panels {
  readonly #hub: () => Hub;
  readonly viewers = new Set<Viewer>();
  readonly #byServer = new Map<string, Set<Viewer>>();
  /** Grows with everything that was looked at: who asks while it grows asks again. */
  looked = 0;

  constructor(hub: () => Hub) {
    this.#hub = hub;
  }

  isJoined(server_id: string): boolean {
    return this.#byServer.has(server_id);
  }

  joinedServers(): string[] {
    return [...this.#byServer.keys()];
  }

  joinedOn(nodes: readonly string[]): string[] {
    const found = new Set<string>();
    for (const { joined } of this.viewers)
      for (const [id, { node_id }] of joined) if (node_id && nodes.includes(node_id)) found.add(id);
    return [...found];
  }

  /** The viewer is in these rooms of the server and no others; console and stats are entered by the caller. */
  enter(viewer: Viewer, server_id: string, { facts, node_id }: Where, rooms: readonly Room[]): void {
    viewer.joined.set(server_id, { rooms: new Set(rooms), facts, node_id });
    const there = this.#byServer.get(server_id) ?? new Set();
    this.#byServer.set(server_id, there.add(viewer));
    for (const room of rooms)
      if (room !== 'console' && room !== 'stats') viewer.socket.join(roomOf(server_id, room));
  }

  leave(viewer: Viewer, server_id: string): void {
    const joined = viewer.joined.get(server_id);
    if (!joined) return;
    viewer.joined.delete(server_id);
    const there = this.#byServer.get(server_id);
    there?.delete(viewer);
    if (there?.size === 0) this.#byServer.delete(server_id);
    const { consoles } = this.#hub();
    if (joined.rooms.has('console')) consoles.leave(viewer.socket, server_id);
    if (joined.rooms.has('stats')) consoles.leaveStats(viewer.socket, server_id);
    for (const room of joined.rooms) viewer.socket.leave(roomOf(server_id, room));
  }

  leaveAll(viewer: Viewer): void {
    for (const id of [...viewer.joined.keys()]) this.leave(viewer, id);
    this.viewers.delete(viewer);
  }

  /** Takes a viewer out of a server's rooms and says why. */
  #sendAway(viewer: Viewer, server_id: string, why: RefusalCode, scope = 'SERVER_READ'): void {
    this.leave(viewer, server_id);
    const { error, description } = notOk(new Refused(why, { scope }), viewer.locale, this.#hub().log, 'gone');
    viewer.socket.emit('gone', { server_id, error, description });
  }

  /** Tells how servers are; those of `ids` that are not among `known` are no more. Who may not see one any more leaves. */
  tellServers(ids: readonly string[], known: readonly KnownServer[]): void {
    const found = new Map(known.map((one) => [one.view.id, one]));
    for (const id of ids) {
      const server = found.get(id);
      for (const viewer of [...(this.#byServer.get(id) ?? [])])
        this.#mayStay(viewer, id, server?.facts ?? null);
      if (!server) continue;
      for (const viewer of this.#byServer.get(id) ?? [])
        Object.assign(viewer.joined.get(id)!, { facts: server.facts, node_id: server.node_id });
      this.#hub().consoles.placed(id, server.node_id);
      this.#tell(id, server.view);
    }
  }

  #tell(server_id: string, server: ServerView): void {
    this.#hub().io.of('/server').to(roomOf(server_id, 'state')).emit('state', { server });
  }

  #mayStay(viewer: Viewer, id: string, facts: ServerFacts | null): void {
    const why = whyNotSee(viewer.actor, facts);
    if (why) {
      this.#sendAway(viewer, id, why);
      return;
    }
    const { rooms } = viewer.joined.get(id)!;
    if (facts!.lifecycle === 'suspended' && [...rooms].some((room) => !suspendedRooms.includes(room)))
      this.#sendAway(viewer, id, 'server_suspended');
  }

  /** Asks again who everybody is: sessions end, tokens are taken back, roles and scopes change, both expire. */
  async checkRights(): Promise<void> {
    const { record } = this.#hub();
    const { sql, now } = record;
    this.looked += 1;
    const tokens = [...new Set([...this.viewers].map(({ token }) => token))];
    const actors = await actorsOf(sql, tokens, now());
    for (const viewer of [...this.viewers]) {
      const actor = actors.get(viewer.token);
      if (actor) viewer.actor = actor;
      else this.#close(viewer);
    }
    await this.#hub().staff.checkRights();
    const ids = this.joinedServers();
    for (let at = 0; at < ids.length; at += 200) {
      const some = ids.slice(at, at + 200);
      const facts = new Map((await serversById(sql, some, now())).map((one) => [one.view.id, one.facts]));
      for (const id of some)
        for (const viewer of [...(this.#byServer.get(id) ?? [])])
          this.#mayStay(viewer, id, facts.get(id) ?? null);
    }
  }

  #close(viewer: Viewer): void {
    for (const id of [...viewer.joined.keys()]) this.#sendAway(viewer, id, 'token_invalid');
    viewer.socket.disconnect(true);
  }

  /** Tells every open panel the notices of its server, as its person has not put them away. */
  async tellNotices(): Promise<void> {
    const { record } = this.#hub();
    for (const viewer of this.viewers) {
      const servers = [...viewer.joined].map(([id, { node_id }]) => ({ id, node_id }));
      if (servers.length === 0) continue;
      const notices = await noticesFor(record.sql, viewer.actor.user_id, servers, record.now());
      for (const { id } of servers)
        viewer.socket.emit('notices', { server_id: id, notices: notices.get(id) ?? [] });
    }
  }

  /** The agent of these consoles is away, or back. */
  tellNode(node_id: string, online: boolean, last_seen: Date | null): void {
    for (const server_id of this.joinedOn([node_id])) {
      const message = { server_id, online, last_seen: last_seen?.toISOString() ?? null };
      this.#hub().io.of('/server').to(roomOf(server_id, 'state')).emit('node', message);
    }
  }
}
