import type { Actor } from '../../../platform/people/rules.ts';
import type { ServerRecord } from '../read.ts';
import { isBeingSetUp, whyNotHave } from '../rules.ts';
import type { OpenRun } from './rows.ts';
import { late_ms, rightsFor } from './rules.ts';
import type { Reason } from './view.ts';

/** How long a run waits for a node, or for the number of players, that may only not be known yet. */
const patience_ms = 60_000;

interface Known {
  server: ServerRecord | null;
  /** Who saved the schedule; null when that account cannot act any more. */
  actor: Actor | null;
  players: number | null;
}

type NotNow = { outcome: 'later' } | { outcome: 'skipped' | 'missed' | 'failed'; reason: Reason };

/** Whether the number of players decides whether this run begins. */
export const asksForPlayers = ({ data, schedule }: OpenRun): boolean =>
  data.trigger === 'time' && schedule.only_when_empty && data.results.every(({ began }) => began === null);

/**
 * Why a run cannot begin now, or null. `later`: look again soon. A run by hand has no conditions, but needs the rights of who
 * saved the schedule.
 */
export function whyNotBegin(run: OpenRun, { server, actor, players }: Known, now: Date): NotNow | null {
  const { schedule, began, data } = run;
  const { steps, trigger, due } = data;
  const is = (outcome: 'skipped' | 'missed' | 'failed', code: string, data?: Reason['data']): NotNow => ({
    outcome,
    reason: { code, ...(data && { data }) },
  });
  const orLater = (otherwise: NotNow): NotNow =>
    +now - Date.parse(began) < patience_ms ? { outcome: 'later' } : otherwise;
  if (trigger === 'time' && +now - Date.parse(due) > late_ms + patience_ms)
    return is('missed', 'schedule_late');
  if (!server) return is('skipped', 'server_not_found');
  const { facts } = server;
  if (!actor) return is('failed', 'schedule_author_gone');
  const lost = rightsFor(steps).find((right) => whyNotHave[right](actor, facts));
  if (lost) return is('failed', 'schedule_right_missing', { right: lost });
  if (facts.lifecycle === 'suspended') return is('skipped', 'server_suspended');
  if (isBeingSetUp(facts.lifecycle)) return is('skipped', 'server_not_ready');
  if (facts.power === 'unknown') return orLater(is('missed', 'server_unreachable'));
  if (trigger === 'hand') return null;
  if (schedule.only_when_running && facts.power !== 'running') return is('skipped', 'server_not_running');
  const couldPlay = facts.power !== 'stopped' && facts.power !== 'crashed';
  if (!schedule.only_when_empty || !couldPlay) return null;
  if (players === null) return orLater(is('skipped', 'schedule_players_unknown'));
  return players > 0 ? is('skipped', 'schedule_players_online') : null;
}
