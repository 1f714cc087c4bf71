import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import type { ScheduleInput, ScheduleView } from '#db/hosting/servers/schedules/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { later } from '../../../platform/ui/later.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { whyNotNow } from '../core/access.ts';
import { removeSchedule } from './actions.ts';
import { HistoryDialog } from './HistoryDialog.tsx';
import { newSchedule, usefulSchedules } from './presets.ts';
import { ScheduleLine } from './ScheduleLine.tsx';
import { $history, $most, loadRuns } from './schedules.store.ts';

const Editor = later(async () => (await import('./Editor.tsx')).Editor);

/** What is edited: a schedule that is there, or the first draft of a new one. */
type Edited = { before: ScheduleView } | { draft: ScheduleInput };

/** The schedules that are there, and what is done to them. */
export function ScheduleList({ schedules, isOpen }: { schedules: readonly ScheduleView[]; isOpen: boolean }) {
  const labels = useMessages();
  const { t, number } = labels;
  const most = useStore($most);
  const history = useStore($history);
  const { confirm, dialog } = useConfirm();
  const [edited, setEdited] = useState<Edited | null>(null);
  const offline = isOpen ? null : t('servers.line_lost');
  const whyNotChange = whyNotNow(labels, isOpen, whyNotHave.schedules);
  const full = schedules.length >= most ? t('error.schedules_too_many', { most: number(most) }) : null;
  const whyNot = whyNotChange ?? full;
  const about = history && schedules.find(({ id }) => id === history.id);
  const add = (draft: ScheduleInput) => whyNot === null && setEdited({ draft });
  const useful = schedules.length === 0 ? usefulSchedules(labels) : null;
  return (
    <>
      {useful ? (
        <Empty title={t('schedule.none')} text={t('schedule.none_text')}>
          <div className="row wrap sc-offers">
            {([useful.restart, useful.backup, newSchedule()] as const).map((draft) => (
              <button
                key={draft.name}
                className={draft.name ? 'btn' : 'btn primary'}
                type="button"
                aria-disabled={whyNot !== null}
                data-tip={whyNot ?? undefined}
                onClick={() => add(draft)}
              >
                {draft.name || t('schedule.add')}
              </button>
            ))}
          </div>
        </Empty>
      ) : (
        <div className="sc-head">
          <h2>{t('schedule.count', { count: number(schedules.length), most: number(most) })}</h2>
          <button
            className="btn primary"
            type="button"
            aria-disabled={whyNot !== null}
            data-tip={whyNot ?? undefined}
            onClick={() => add(newSchedule())}
          >
            <Icon name="add" />
            {t('schedule.add')}
          </button>
        </div>
      )}
      {!useful && (
        <ul className="sc" aria-label={t('schedule.title')}>
          {schedules.map((schedule) => (
            <ScheduleLine
              key={schedule.id}
              {...{ schedule, offline }}
              whyNot={whyNotChange}
              edit={() => setEdited({ before: schedule })}
              showHistory={() => {
                $history.set({ id: schedule.id, runs: null });
                void loadRuns(schedule.id);
              }}
              remove={() =>
                confirm({
                  title: t('schedule.ask_remove', { name: schedule.name }),
                  text: t('schedule.ask_remove_text'),
                  action: t('schedule.remove'),
                  act: () => void removeSchedule(schedule.id),
                })
              }
            />
          ))}
        </ul>
      )}
      {edited && <Editor {...edited} whyNot={whyNotChange} done={() => setEdited(null)} />}
      {history && about && (
        <HistoryDialog schedule={about} runs={history.runs} done={() => $history.set(null)} />
      )}
      {dialog}
    </>
  );
}
