import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, hasScope, isAdmin } from '../../platform/people/rules.ts';
import type { Scope } from '../../platform/people/scopes/rules.ts';
import { type ServerMember, type ServerRight, serverRights } from './rights/rules.ts';

/** Rules for game servers. Source: hosting §5.5; specification §4, §9. */

/** Lifecycle of a server, decided by the control plane. */
export const lifecycles = [
  'unprovisioned',
  'provisioning',
  'installing',
  'ready',
  'suspended',
  'upgrading',
  'broken',
  'deprovisioning',
] as const;
export type Lifecycle = (typeof lifecycles)[number];

/** Last observed state of its process; `unknown` while its node is offline, `installing` before it was first ready. */
export const powers = ['stopped', 'starting', 'running', 'stopping', 'crashed'] as const;
export type Power = (typeof powers)[number];
export type DisplayState = Power | 'installing' | 'unknown';

export const suspensions = [
  'moderated',
  'payment_failed',
  'cancelled',
  'upgrading',
  'trial_ended',
  'lost',
  'other',
] as const;
export type Suspension = (typeof suspensions)[number];
/** Suspensions that staff start and end. Billing owns the others, which end with a payment. */
export const staffSuspensions = ['moderated', 'upgrading', 'lost', 'other'] as const satisfies Suspension[];

export const powerActions = ['start', 'stop', 'restart', 'kill'] as const;
export type PowerAction = (typeof powerActions)[number];

/** Transition table of lifecycles. A state that is not listed cannot be reached. */
const lifecycleMoves: Record<Lifecycle, readonly Lifecycle[]> = {
  unprovisioned: ['provisioning', 'broken', 'suspended', 'deprovisioning'],
  provisioning: ['installing', 'ready', 'broken', 'unprovisioned', 'suspended', 'deprovisioning'],
  installing: ['ready', 'broken', 'suspended', 'deprovisioning'],
  ready: ['suspended', 'upgrading', 'installing', 'broken', 'deprovisioning'],
  suspended: ['unprovisioned', 'provisioning', 'installing', 'ready', 'deprovisioning'],
  upgrading: ['ready', 'broken', 'suspended', 'deprovisioning'],
  broken: ['unprovisioned', 'provisioning', 'installing', 'ready', 'suspended', 'deprovisioning'],
  deprovisioning: [],
};

export const nameLengths = { least: 1, most: 48 } as const;
/** Maximum length of a console command, in bytes of UTF-8. Source: hosting §5.2. */
const commandBytes = 4096;

/** The fields of a server that rules use. */
export interface ServerFacts {
  owner_id: string;
  lifecycle: Lifecycle;
  /** Last observed state, `unknown` while its node is offline. */
  power: Power | 'unknown';
  /** It is on its way to another node. */
  moving?: boolean;
  /** People on it beside its owner; none for what is not a server yet. */
  members?: readonly ServerMember[];
}

const memberOf = (actor: Actor, { members = [] }: ServerFacts): ServerMember | undefined =>
  members.find(({ user_id }) => user_id === actor.user_id);
const owns = (actor: Actor, { owner_id }: ServerFacts): boolean =>
  owner_id === actor.user_id || isAdmin(actor);

/** Whether an actor has only their role to see the server by: they are neither its owner nor on it. */
export const isStaffOnly = (actor: Actor, server: ServerFacts): boolean =>
  server.owner_id !== actor.user_id && !memberOf(actor, server) && isAdmin(actor);

/** Why `actor` may not see the server, or null. Hidden and unknown servers give the same answer: `server_not_found`. */
export function whyNotSee(actor: Actor | null, server: ServerFacts | null): RefusalCode | null {
  if (!actor) return 'authentication_required';
  if (!server || !(owns(actor, server) || memberOf(actor, server))) return 'server_not_found';
  return hasScope(actor, 'SERVER_READ') ? null : 'scope_missing';
}

/**
 * Why `actor` may not do what only an owner may (deletion, payment), or null; its state is checked separately.
 */
export function whyNotChange(actor: Actor | null, server: ServerFacts | null): RefusalCode | null {
  const hidden = whyNotSee(actor, server);
  if (hidden && hidden !== 'scope_missing') return hidden;
  if (!owns(actor!, server!)) return 'server_right_missing';
  return hasScope(actor as Actor, 'SERVER_WRITE') ? null : 'scope_missing';
}

function whyNotRight(
  actor: Actor | null,
  server: ServerFacts | null,
  right: ServerRight,
): RefusalCode | null {
  const hidden = whyNotSee(actor, server);
  if (hidden && hidden !== 'scope_missing') return hidden;
  if (!owns(actor!, server!) && !memberOf(actor!, server!)?.rights.includes(right))
    return 'server_right_missing';
  return hasScope(actor as Actor, 'SERVER_WRITE') ? null : 'scope_missing';
}

/** Why `actor` may not do what a right stands for, or null: one rule per right. Its state is checked separately. */
export const whyNotHave = Object.fromEntries(
  serverRights.map((right) => [
    right,
    (actor: Actor | null, server: ServerFacts | null) => whyNotRight(actor, server, right),
  ]),
) as Record<ServerRight, typeof whyNotSee>;

/** The rule of an operation of an agent that a user requests, by its kind: that of files unless it is of something else. */
export function whyNotOperation(kind: string): typeof whyNotSee {
  if (kind === 'kill') return whyNotHave.power;
  if (kind.startsWith('backup_')) return whyNotHave.backups;
  return kind.startsWith('content_') ? whyNotHave.content : whyNotHave.files;
}

/** What an actor may do on a server: for panels, which offer what the rules allow. */
export interface ServerAccess {
  /** May do what only owners do. */
  owner: boolean;
  rights: ServerRight[];
}
export const accessOf = (actor: Actor | null, server: ServerFacts): ServerAccess => ({
  owner: whyNotChange(actor, server) === null,
  rights: serverRights.filter((right) => whyNotHave[right](actor, server) === null),
});

/** Why `actor` may not order a server, or null. */
export function whyNotCreate(actor: Actor | null): RefusalCode | null {
  if (!actor) return 'authentication_required';
  if (!hasScope(actor, 'SERVER_CREATE')) return 'scope_missing';
  return actor.email_verified ? null : 'email_unverified';
}

/** Why `actor` may not answer for themselves what is about servers, as an invitation or a notice, or null. */
export const whyNotAnswer = (actor: Actor): RefusalCode | null =>
  hasScope(actor, 'SERVER_WRITE') ? null : 'scope_missing';

/** The scope that a refusal `scope_missing` of these rules names. */
export const scopeFor = {
  see: 'SERVER_READ',
  change: 'SERVER_WRITE',
  create: 'SERVER_CREATE',
} as const satisfies Record<string, Scope>;

/** Whether a server waits for its node or its installation; a start that is requested meanwhile is carried out after it. */
export const isBeingSetUp = (lifecycle: Lifecycle): boolean =>
  lifecycle === 'unprovisioned' || lifecycle === 'provisioning' || lifecycle === 'installing';

/** The steps from an order to a running server, in order. */
export const setupSteps = ['scheduling', 'installing', 'starting'] as const;
export type SetupStep = (typeof setupSteps)[number];

/**
 * The step of its set-up that a server is at, or where it failed; null when its first start is over, and when it is
 * installed and stays off. `installed`: it was installed at least once; `ran`: its first start is over.
 */
export function setupStep(
  server: { lifecycle: Lifecycle; power_wanted: 'on' | 'off' } & Record<'installed' | 'ran', boolean>,
): SetupStep | null {
  const { lifecycle, power_wanted, installed, ran } = server;
  if (ran) return null;
  if (lifecycle === 'unprovisioned' || lifecycle === 'provisioning') return 'scheduling';
  if (lifecycle === 'installing') return 'installing';
  if (lifecycle === 'broken') return installed ? 'starting' : 'installing';
  return lifecycle === 'ready' && power_wanted === 'on' ? 'starting' : null;
}

/** Whether the transition from one lifecycle to another is allowed. */
export const canMove = (from: Lifecycle, to: Lifecycle): boolean => lifecycleMoves[from].includes(to);

/**
 * Why this power action is not possible now, or null. A start during installation is stored and runs afterwards; a
 * start of a broken server retries. Kill is always allowed except during suspension, since it is the last resort.
 * Source: hosting §5.5.
 */
export function whyNotPower(server: ServerFacts, action: PowerAction): RefusalCode | null {
  const { lifecycle, power } = server;
  if (lifecycle === 'suspended') return 'server_suspended';
  if (lifecycle === 'deprovisioning') return 'server_not_found';
  if (server.moving) return 'server_moving';
  if (action === 'kill') return power === 'stopped' ? 'server_not_running' : null;
  if (lifecycle === 'upgrading') return 'server_upgrading';
  if (action === 'start') return null;
  if (lifecycle === 'broken') return 'server_broken';
  if (action === 'restart') return lifecycle === 'ready' ? null : 'server_not_ready';
  return null;
}

/** Why staff cannot resize the server now, or null: it must be installed and not already be changing. */
export function whyNotResize({ lifecycle, moving }: ServerFacts): RefusalCode | null {
  if (moving) return 'server_moving';
  if (lifecycle === 'ready') return null;
  if (lifecycle === 'deprovisioning') return 'server_not_found';
  if (lifecycle === 'suspended') return 'server_suspended';
  if (lifecycle === 'broken') return 'server_broken';
  return lifecycle === 'upgrading' ? 'server_upgrading' : 'server_not_ready';
}

/** Why staff cannot suspend the server now, or give its suspension another reason, or null. */
export const whyNotSuspend = ({ lifecycle }: Pick<ServerFacts, 'lifecycle'>): RefusalCode | null =>
  lifecycle === 'suspended' || canMove(lifecycle, 'suspended') ? null : 'server_not_found';

/** Why staff cannot end the suspension of a server, or null: those by billing end with a payment. */
export function whyNotResume(
  { lifecycle }: Pick<ServerFacts, 'lifecycle'>,
  reason: string | null | undefined,
): RefusalCode | null {
  if (lifecycle === 'deprovisioning') return 'server_not_found';
  const isByStaff = staffSuspensions.some((one) => one === reason);
  return lifecycle === 'suspended' && !isByStaff ? 'server_suspended' : null;
}

/**
 * Why the server's files cannot be downloaded now, or null: during the grace period they can, after a suspension by
 * staff they cannot. `reason` is that of a suspension; `stored`: the bytes are at the platform, which needs no node.
 */
export function whyNotDownload(
  server: ServerFacts & { reason: string | undefined; placed: boolean },
  stored = false,
): RefusalCode | null {
  if (server.lifecycle === 'suspended' && server.reason === 'moderated') return 'server_suspended';
  if (stored) return null;
  if (server.moving) return 'server_moving';
  if (!server.placed) return 'server_not_ready';
  return server.power === 'unknown' ? 'server_unreachable' : null;
}

/** Why no console command can be sent now, or null. */
export function whyNotCommand(server: ServerFacts): RefusalCode | null {
  if (server.lifecycle === 'suspended') return 'server_suspended';
  if (server.power === 'unknown') return 'server_unreachable';
  return server.power === 'running' || server.power === 'starting' || server.power === 'stopping'
    ? null
    : 'server_not_running';
}

/** Why its agent cannot run an operation now that a user waits for, or null. */
export function whyNotOperate({ lifecycle, power, moving }: ServerFacts): RefusalCode | null {
  if (lifecycle === 'deprovisioning') return 'server_not_found';
  if (moving) return 'server_moving';
  if (lifecycle === 'suspended') return 'server_suspended';
  if (isBeingSetUp(lifecycle)) return 'server_not_ready';
  return power === 'unknown' ? 'server_unreachable' : null;
}

/**
 * Whether a server has to stop before all of its files are replaced: one that runs, and one that is down but starts by
 * itself, after a crash or when somebody joins.
 */
export const mustStop = (server: Pick<ServerFacts, 'power'> & { power_wanted: 'on' | 'off' }): boolean =>
  server.power_wanted === 'on' || !['stopped', 'crashed'].includes(server.power);

/**
 * Why the files of a server cannot be seen now, or null. Also those of a broken server can: to repair it is what they are
 * opened for.
 */
export const whyNotReadFiles = (server: ServerFacts): RefusalCode | null => whyNotOperate(server);

/** Why the files of a server cannot be changed now, or null; `restoring`: a backup replaces all of them. */
export const whyNotChangeFiles = (server: ServerFacts & { restoring: boolean }): RefusalCode | null =>
  whyNotReadFiles(server) ?? (server.restoring ? 'server_busy' : null);

/** Why `text` is not a valid console command, or null: one line without control characters, not empty, not too long. */
export function whyNotCommandText(text: string): RefusalCode | null {
  if (text.trim() === '') return 'command_empty';
  if (new TextEncoder().encode(text).length > commandBytes) return 'command_too_long';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text) ? 'command_control_characters' : null;
}

/** The process state to display. */
export const displayState = ({ lifecycle, power }: ServerFacts): DisplayState =>
  isBeingSetUp(lifecycle) ? 'installing' : power;
