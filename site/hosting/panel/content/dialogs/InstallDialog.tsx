import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { requestFromPanel } from '../../core/open-panel.ts';
import { install } from '../actions.ts';
import { PlanDialog } from './PlanDialog.tsx';
import { usePlanned } from './planned.ts';

interface InstallProps {
  server: ServerView;
  project_id: string;
  /** The newest one that fits without it. */
  version_id?: string;
  whyNot: string | null;
  done(): void;
}

/** Installs a project with what it needs. */
export function InstallDialog({ server, project_id, version_id, whyNot, done }: InstallProps) {
  const { t } = useMessages();
  const items = [{ project_id, ...(version_id && { version_id }) }];
  const [planned, again] = usePlanned(() => requestFromPanel('content.plan', { items }));
  return (
    <PlanDialog
      title={t('server_content.install_title', { server: `\u2068${server.name}\u2069` })}
      action={t('server_content.install')}
      nothing={t('server_content.nothing_to_install')}
      isRunning={server.state === 'running'}
      submit={({ add, revision }, op_id, refused) =>
        install(
          { op_id, revision },
          add.map(({ version }) => version.id),
          refused,
        )
      }
      {...{ planned, again, whyNot, done }}
    />
  );
}
