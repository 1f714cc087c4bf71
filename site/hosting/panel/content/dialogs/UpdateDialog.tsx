import type { ContentPlan } from '#db/hosting/servers/content/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { requestFromPanel } from '../../core/open-panel.ts';
import { update } from '../actions.ts';
import { PlanDialog } from './PlanDialog.tsx';
import { usePlanned } from './planned.ts';

interface UpdateProps {
  server: ServerView;
  /** All that can be updated when null. */
  paths: readonly string[] | null;
  whyNot: string | null;
  done(): void;
}

/** What `content.update` gets: the files that are replaced, and those that are new. */
const updatesOf = ({ add }: ContentPlan) =>
  add.map(({ replaces, version }) => ({ path: replaces, version_id: version.id }));

/** Updates files to their newest versions that fit, with the difference before. */
export function UpdateDialog({ server, paths, whyNot, done }: UpdateProps) {
  const { t } = useMessages();
  const asked = { paths: paths && [...paths] };
  const [planned, again] = usePlanned(() => requestFromPanel('content.update_plan', asked));
  return (
    <PlanDialog
      title={t('server_content.update_title')}
      action={t('server_content.update')}
      nothing={t('server_content.nothing_to_update')}
      isRunning={server.state === 'running'}
      submit={(plan, op_id, refused) => update({ op_id, revision: plan.revision }, updatesOf(plan), refused)}
      {...{ planned, again, whyNot, done }}
    />
  );
}
