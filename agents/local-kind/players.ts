import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Who may play on the demo server: whitelist, operators and bans, in the files and with the words of the game. Files are read
 * at the start and by `whitelist reload`, and written at once after each change.
 */

/** One line of a file; fields that are not known here stay. */
interface Entry {
  uuid?: string;
  name?: string;
  ip?: string;
  level?: number;
  reason?: string;
  expires?: string;
}
/** Somebody who joins, or is there. */
export interface Visitor {
  name: string;
  uuid: string;
  address: string;
}
interface Online {
  players(): readonly Visitor[];
  /** Disconnects one by name. */
  kick(name: string, reason: string): void;
}
/** The values of `server.properties` that count here. */
interface Rules {
  whitelist: boolean;
  enforced: boolean;
  level: number;
  online_mode: boolean;
}

const files = {
  whitelist: 'whitelist.json',
  ops: 'ops.json',
  bans: 'banned-players.json',
  addresses: 'banned-ips.json',
} as const;
type List = keyof typeof files;

const name_pattern = /^\w{1,16}$/;
const address_pattern = /^(?:\d{1,3}\.){3}\d{1,3}$|^[0-9a-f:]{0,45}:[0-9a-f:.]{0,45}$/i;

/** The id of a player without an account. A UUID of version 3, as Java makes it of a name. */
export function offlineUuid(name: string): string {
  const hash = createHash('md5').update(`OfflinePlayer:${name}`).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x30;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const same = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
const lasts = ({ expires }: Entry): boolean =>
  expires === undefined || expires === 'forever' || !(Date.parse(expires) < Date.now());

/** The lists of one server and the commands that change them. */
export class Players {
  readonly #data: string;
  readonly #online: Online;
  readonly #say: (line: string) => void;
  #rules: Rules;
  readonly #lists: Record<List, Entry[]>;

  constructor(
    data: string,
    { rules, online, say }: { rules: Rules; online: Online; say(line: string): void },
  ) {
    [this.#data, this.#rules, this.#online, this.#say] = [data, rules, online, say];
    const read = (list: List) => this.#read(list) ?? [];
    this.#lists = {
      whitelist: read('whitelist'),
      ops: read('ops'),
      bans: read('bans'),
      addresses: read('addresses'),
    };
  }

  /** A file that is broken is said and left as it is until the list changes, as the game does it. */
  #read(list: List): Entry[] | null {
    try {
      const found: unknown = JSON.parse(readFileSync(`${this.#data}/${files[list]}`, 'utf8'));
      if (!Array.isArray(found)) throw new Error('it is no list');
      return found.filter((one): one is Entry => typeof one === 'object' && one !== null);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#say(`[WARN]: Failed to load ${files[list]}: ${(error as Error).message}`);
      return null;
    }
  }

  #write(list: List): void {
    const path = `${this.#data}/${files[list]}`;
    writeFileSync(`${path}.new`, `${JSON.stringify(this.#lists[list], null, 2)}\n`);
    renameSync(`${path}.new`, path);
  }

  isOperator = ({ uuid }: Pick<Visitor, 'uuid'>): boolean =>
    this.#lists.ops.some((one) => same(one.uuid, uuid));

  /** What somebody who may not join is told, or null. */
  whyNotJoin(visitor: Visitor): string | null {
    const ban = this.#lists.bans.find((one) => same(one.uuid, visitor.uuid) && lasts(one));
    if (ban) return `You are banned from this server.\nReason: ${ban.reason ?? ''}`;
    if (this.#rules.whitelist && !this.#isListed(visitor)) return 'You are not white-listed on this server!';
    const address = this.#lists.addresses.find((one) => one.ip === visitor.address && lasts(one));
    return address ? `Your IP address is banned from this server.\nReason: ${address.reason ?? ''}` : null;
  }

  #isListed = (visitor: Visitor): boolean =>
    this.isOperator(visitor) || this.#lists.whitelist.some((one) => same(one.uuid, visitor.uuid));

  /** The player of a name: one who is there, else one without an account, where these may join. */
  #profile(name: string): { name: string; uuid: string } | null {
    const there = this.#online.players().find((one) => same(one.name, name));
    if (there) return there;
    return this.#rules.online_mode ? null : { name, uuid: offlineUuid(name) };
  }

  #add(list: List, name: string, more: object): { name: string } | 'unknown' | 'there' {
    const profile = name_pattern.test(name) ? this.#profile(name) : null;
    if (!profile) return 'unknown';
    if (this.#lists[list].some((one) => same(one.uuid, profile.uuid))) return 'there';
    this.#lists[list].push({ uuid: profile.uuid, name: profile.name, ...more });
    this.#write(list);
    return { name: profile.name };
  }

  #remove(list: List, name: string): Entry | null {
    const at = this.#lists[list].findIndex((one) => same(one.name, name) || one.ip === name);
    if (at < 0) return null;
    const [gone] = this.#lists[list].splice(at, 1);
    this.#write(list);
    return gone!;
  }

  #enforce(): void {
    if (!this.#rules.whitelist || !this.#rules.enforced) return;
    for (const one of this.#online.players())
      if (!this.#isListed(one)) this.#online.kick(one.name, 'You are not white-listed on this server!');
  }

  #ban = (reason: string) => ({
    created: `${new Date().toISOString().slice(0, 19).replace('T', ' ')} +0000`,
    ...{ source: 'Server', expires: 'forever', reason },
  });

  list(): string {
    const names = this.#online.players().map(({ name }) => name);
    return `There are ${names.length} players online: ${names.join(', ')}`;
  }

  whitelist(parameters: string, keep: (on: boolean) => void): string {
    const [action = '', name = ''] = parameters.split(' ');
    if (action === 'on' || action === 'off') {
      const on = action === 'on';
      if (this.#rules.whitelist === on) return `Whitelist is already turned ${action}`;
      this.#rules = { ...this.#rules, whitelist: on };
      keep(on);
      this.#enforce();
      return `Whitelist is now turned ${action}`;
    }
    if (action === 'add') {
      const added = this.#add('whitelist', name, {});
      if (added === 'unknown') return 'That player does not exist';
      return added === 'there' ? 'Player is already whitelisted' : `Added ${added.name} to the whitelist`;
    }
    if (action === 'remove') {
      const gone = this.#remove('whitelist', name);
      if (gone) this.#enforce();
      return gone ? `Removed ${gone.name} from the whitelist` : 'Player is not whitelisted';
    }
    if (action === 'reload') {
      this.#lists.whitelist = this.#read('whitelist') ?? this.#lists.whitelist;
      this.#enforce();
      return 'Reloaded the whitelist';
    }
    if (action !== 'list') return 'Unknown or incomplete command: whitelist (add|list|off|on|reload|remove)';
    const names = this.#lists.whitelist.map((one) => one.name ?? one.uuid);
    return names.length === 0
      ? 'There are no whitelisted players'
      : `There are ${names.length} whitelisted player(s): ${names.join(', ')}`;
  }

  op(name: string): string {
    const made = this.#add('ops', name, { level: this.#rules.level, bypassesPlayerLimit: false });
    if (made === 'unknown') return 'That player does not exist';
    return made === 'there'
      ? 'Nothing changed. The player already is an operator'
      : `Made ${made.name} a server operator`;
  }

  deop(name: string): string {
    const gone = this.#remove('ops', name);
    return gone
      ? `Made ${gone.name} no longer a server operator`
      : 'Nothing changed. The player is not an operator';
  }

  ban(parameters: string): string {
    const [name, reason] = nameAnd(parameters, 'Banned by an operator.');
    const banned = this.#add('bans', name, this.#ban(reason));
    if (banned === 'unknown') return 'That player does not exist';
    if (banned === 'there') return 'Nothing changed. The player is already banned';
    this.#kick(banned.name, 'You are banned from this server');
    return `Banned ${banned.name}: ${reason}`;
  }

  banAddress(parameters: string): string {
    const [given, reason] = nameAnd(parameters, 'Banned by an operator.');
    const ip = this.#online.players().find((one) => same(one.name, given))?.address ?? given;
    if (!address_pattern.test(ip)) return 'Invalid IP address or unknown player';
    if (this.#lists.addresses.some((one) => one.ip === ip))
      return 'Nothing changed. That IP is already banned';
    this.#lists.addresses.push({ ip, ...this.#ban(reason) });
    this.#write('addresses');
    for (const one of this.#online.players())
      if (one.address === ip) this.#online.kick(one.name, 'You have been IP banned');
    return `Banned IP ${ip}: ${reason}`;
  }

  pardon(name: string): string {
    const gone = this.#remove('bans', name);
    return gone ? `Unbanned ${gone.name}` : "Nothing changed. The player isn't banned";
  }

  pardonAddress(ip: string): string {
    if (!address_pattern.test(ip)) return 'Invalid IP address';
    return this.#remove('addresses', ip) ? `Unbanned IP ${ip}` : "Nothing changed. That IP isn't banned";
  }

  banlist(which: string): string {
    const list = which === 'ips' ? this.#lists.addresses : this.#lists.bans;
    if (list.length === 0) return 'There are no bans';
    const lines = list.map((one) => `${one.ip ?? one.name} was banned by Server: ${one.reason ?? ''}`);
    return [`There are ${list.length} ban(s):`, ...lines].join(' ');
  }

  kick(parameters: string): string {
    const [name, reason] = nameAnd(parameters, 'Kicked by an operator');
    return this.#kick(name, reason) ? `Kicked ${name}: ${reason}` : 'No player was found';
  }

  #kick(name: string, reason: string): boolean {
    const there = this.#online.players().find((one) => same(one.name, name));
    if (there) this.#online.kick(there.name, reason);
    return there !== undefined;
  }
}

function nameAnd(parameters: string, usual: string): [name: string, reason: string] {
  const at = parameters.indexOf(' ');
  if (at < 0) return [parameters, usual];
  return [parameters.slice(0, at), parameters.slice(at + 1).trim() || usual];
}
