import { describe, expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { serverRights } from '#db/hosting/servers/rights/rules.ts';
import { outcomes, rightsFor, type ScheduleStep, stepStates } from '#db/hosting/servers/schedules/rules.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';
import { messageReader } from '../../../platform/text/message-reader.ts';
import { panelTexts } from '../panel-texts.ts';
import { reasonText, stepText } from './schedule-text.ts';

const steps: ScheduleStep[] = [
  { kind: 'command', text: 'say hi' },
  ...(['start', 'stop', 'restart'] as const).map((action) => ({ kind: 'power', action }) as const),
  ...[{ kind: 'backup' } as const, { kind: 'update' } as const, { kind: 'wait', seconds: 5 } as const],
];
/** Codes that runs and steps are stored with. */
const codes: string[] = [
  ...['schedule_late', 'schedule_running', 'schedule_author_gone', 'schedule_players_online'],
  ...['schedule_players_unknown', 'schedule_step_too_long', 'schedule_start_failed', 'server_not_running'],
  ...['server_suspended', 'server_unreachable', 'server_busy', 'command_not_delivered', 'backup_in_progress'],
  ...['backup_canceled', 'content_unchanged', 'change_canceled', 'operation_failed', 'disk_full'],
];

describe.each(['en-US', 'de-DE', 'ar-SA'])('what the page says in %s', (language) => {
  const reader: object = messageReader(islandMessages(messages(language), ...panelTexts('schedules')));
  const labels = { ...reader, link: (path: string) => path } as unknown as PageMessages;

  it('has words for each step, each outcome and each state', () => {
    const words = [
      ...steps.map((step) => stepText(labels, step)),
      ...outcomes.map((one) => labels.t(`schedule.outcome_${one}`)),
      ...stepStates.map((one) => labels.t(`schedule.step_${one}`)),
    ];
    for (const word of words) expect(word).not.toMatch(/^schedule\.|[{}]/);
    expect(stepText(labels, steps[0]!)).toContain('say hi');
  });

  it.each(codes)('has a reason for %s', (code) => {
    expect(reasonText(labels, { code })).not.toMatch(/[{}_]/);
  });

  it('names the right that is missing', () => {
    const asked = rightsFor(steps);
    expect(asked.every((right) => serverRights.includes(right))).toBe(true);
    for (const right of asked)
      expect(reasonText(labels, { code: 'schedule_right_missing', data: { right } })).not.toMatch(/[{}_]/);
  });
});
