import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../platform/ui/Empty.tsx';
import { Skeleton } from '../../../platform/ui/Skeleton.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { $connection } from '../core/panel.store.ts';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';
import { ScheduleList } from './ScheduleList.tsx';
import { $problem, $schedules, followSchedules, loadSchedules } from './schedules.store.ts';

/** The schedules of one server: what it does by itself, when, and how that went. */
export const Schedules = (props: PanelProps) => (
  <PanelFrame {...props} current="schedules">
    {() => <All />}
  </PanelFrame>
);

function All() {
  const { t } = useMessages();
  const schedules = useStore($schedules);
  const problem = useStore($problem);
  const line = useStore($connection);
  useEffect(followSchedules, []);
  const isWaiting = !schedules && !problem;
  return (
    <div className="sc-page" aria-busy={isWaiting}>
      {problem && (
        <Alert
          tone="bad"
          title={t('schedule.load_failed')}
          action={
            <button className="btn" type="button" onClick={() => void loadSchedules()}>
              {t('schedule.reload')}
            </button>
          }
        >
          {problem.description}
        </Alert>
      )}
      {schedules && <ScheduleList schedules={schedules} isOpen={line === 'open'} />}
      {isWaiting && line === 'lost' && (
        <Empty title={t('schedule.offline')} text={t('schedule.offline_text')} />
      )}
      {isWaiting && line !== 'lost' && (
        <>
          <p className="hide" role="status">
            {t('schedule.loading')}
          </p>
          <Skeleton rows={3} />
        </>
      )}
    </div>
  );
}
