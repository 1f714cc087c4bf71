import type { MessageKey } from '#content/keys.ts';
import { fullName } from '#db/hosting/servers/names/full-name.ts';
import {
  isBeingSetUp,
  type Lifecycle,
  mustStop,
  type Power,
  type PowerAction,
  type ServerFacts,
  type Suspension,
} from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';

/** How the state of a server is displayed: one badge, and a sentence where needed. Pure. */
type Tone = 'good' | 'warn' | 'bad' | 'note' | 'rest';
export interface StateView {
  tone: Tone;
  text: MessageKey;
  reason: MessageKey | null;
  icon: 'live' | 'rest' | 'wait' | 'crash' | 'away' | 'barred' | 'up' | 'dashed';
}

/** The input of the rules. */
export const factsOf = ({ lifecycle, state }: ServerView): ServerFacts => ({
  owner_id: '',
  lifecycle: lifecycle as Lifecycle,
  power: state === 'installing' ? 'stopped' : (state as Power | 'unknown'),
});

/** Whether it has to stop before all of its files are replaced, as the control plane decides it. */
export const stopsFirst = (server: ServerView): boolean =>
  mustStop({ ...factsOf(server), power_wanted: server.power_wanted });

export function stateView(server: ServerView): StateView {
  if (server.sleeping && isMade(server) && server.state === 'stopped') return asleep;
  return isMade(server) ? byPower[server.state as keyof typeof byPower] : byLifecycle(server);
}
const isMade = ({ lifecycle, state }: ServerView): boolean => lifecycle === 'ready' && state in byPower;

/** Not off: it starts when somebody joins. */
const asleep: StateView = {
  tone: 'note',
  text: 'servers.state_sleeping',
  reason: 'servers.why_sleeping',
  icon: 'rest',
};

const byPower: Record<Power | 'unknown', StateView> = {
  stopped: { tone: 'rest', text: 'servers.state_stopped', reason: null, icon: 'rest' },
  starting: { tone: 'note', text: 'servers.state_starting', reason: null, icon: 'wait' },
  running: { tone: 'good', text: 'servers.state_running', reason: null, icon: 'live' },
  stopping: { tone: 'note', text: 'servers.state_stopping', reason: null, icon: 'wait' },
  crashed: { tone: 'bad', text: 'servers.state_crashed', reason: null, icon: 'crash' },
  unknown: { tone: 'warn', text: 'servers.state_unknown', reason: 'servers.why_unknown', icon: 'away' },
};

const making = (word: MessageKey, why: MessageKey): StateView => ({
  tone: 'note',
  text: word,
  reason: why,
  icon: 'wait',
});

function byLifecycle({ lifecycle, lifecycle_data: { reason } }: ServerView): StateView {
  switch (lifecycle as Lifecycle) {
    case 'unprovisioned':
      return reason === 'out_of_stock'
        ? {
            tone: 'warn',
            text: 'servers.state_out_of_stock',
            reason: 'servers.why_out_of_stock',
            icon: 'dashed',
          }
        : {
            tone: 'rest',
            text: 'servers.state_unprovisioned',
            reason: 'servers.why_unprovisioned',
            icon: 'dashed',
          };
    case 'provisioning':
      return making('servers.state_provisioning', 'servers.why_provisioning');
    case 'upgrading':
      return { ...making('servers.state_upgrading', 'servers.why_upgrading'), icon: 'up' };
    case 'suspended':
      return { tone: 'bad', text: 'servers.state_suspended', reason: suspended(reason), icon: 'barred' };
    case 'broken':
      return { tone: 'bad', text: 'servers.state_broken', reason: 'servers.why_broken', icon: 'crash' };
    case 'deprovisioning':
      return making('servers.state_deprovisioning', 'servers.why_deprovisioning');
    default:
      return making('servers.state_installing', 'servers.why_installing');
  }
}

const suspensions: Record<Suspension, MessageKey> = {
  moderated: 'servers.suspended_moderated',
  payment_failed: 'servers.suspended_payment_failed',
  cancelled: 'servers.suspended_cancelled',
  upgrading: 'servers.suspended_upgrading',
  trial_ended: 'servers.suspended_trial_ended',
  lost: 'servers.suspended_lost',
  other: 'servers.suspended_other',
};
const suspended = (reason = 'other'): MessageKey => suspensions[reason as Suspension] ?? suspensions.other;

const expected = { start: 'starting', stop: 'stopping', restart: 'stopping', kill: 'stopping' } as const;
/**
 * The server as it is shown while `action` is requested and its node has not reported anything since: on its way. A state
 * that the action does not begin with is shown as it is.
 */
export function whileActing(server: ServerView, action: PowerAction | null): ServerView {
  if (action === null || server.lifecycle !== 'ready') return server;
  const begins = action === 'start' ? ['stopped', 'crashed'] : ['starting', 'running'];
  return begins.includes(server.state) ? { ...server, state: expected[action] } : server;
}

/** Whether its state is about to change: it is set up, starts or stops. */
export const isInTransition = ({ lifecycle, state }: ServerView): boolean =>
  lifecycle === 'ready'
    ? ['starting', 'stopping'].includes(state)
    : !['suspended', 'broken'].includes(lifecycle);

/** Whether it runs with a new size of which some parts apply at the next start. */
export const waitsForRestart = ({ restart_due, lifecycle, state }: ServerView): boolean =>
  restart_due && lifecycle === 'ready' && state === 'running';

/** Whether a start was requested before it is possible: it is stored and carried out later. */
export const startsLater = ({ lifecycle, power_wanted }: ServerView): boolean =>
  power_wanted === 'on' && (isBeingSetUp(lifecycle) || lifecycle === 'upgrading');

/** Whether it crashed and its node is about to restart it: stopping it keeps it off. */
export const willRestart = ({ state, crash, power_wanted }: ServerView): boolean =>
  state === 'crashed' && crash?.held === false && power_wanted === 'on';

/** Whether it crashed and stays down: why, and what to do, is on a card. */
export const hasCrashCard = (server: ServerView): boolean =>
  server.state === 'crashed' && server.crash !== null && !willRestart(server);

/** What failed during setup, as a message; null for a step without one. */
export const brokenText = ({ lifecycle_data: { step = '' } }: ServerView): MessageKey | null =>
  Object.hasOwn(broken, step) ? broken[step]! : null;
/** By the codes of agents: `BrokenCode`. */
const broken: Record<string, MessageKey> = {
  port_taken: 'servers.broken_port_taken',
  image_missing: 'servers.broken_image_missing',
  limit_refused: 'servers.broken_limit_refused',
  disk_full: 'servers.broken_disk_full',
  disk_failed: 'servers.broken_disk_failed',
  machine_full: 'servers.broken_machine_full',
  name_taken: 'servers.broken_name_taken',
  kind_unknown: 'servers.broken_kind_unknown',
  network_open: 'servers.broken_network_open',
  docker_failed: 'servers.broken_docker_failed',
};

const plans: Record<string, MessageKey> = {
  small: 'servers.plan_small',
  medium: 'servers.plan_medium',
  large: 'servers.plan_large',
  custom: 'servers.plan_custom',
  trial: 'servers.plan_trial',
};
/** The name of its plan; null for a custom one without a label. */
export const planText = (plan: string): MessageKey | null => plans[plan] ?? null;

/** The address for players: its name below `domain`, which needs no port, or host and port without the default one. */
export function addressText({ address, subdomain }: ServerView, domain: string | null = null): string | null {
  if (!address) return null;
  return (
    fullName(subdomain, domain) ?? (address.port === 25565 ? address.host : `${address.host}:${address.port}`)
  );
}

/** Every address that players may use: a domain of its owner first. */
export const joinAddresses = (server: ServerView, domain: string | null = null): string[] =>
  [server.domain, addressText(server, domain)].filter((address) => address !== null);
