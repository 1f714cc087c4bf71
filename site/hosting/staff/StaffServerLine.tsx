import type { ReactNode } from 'react';
import type { StaffServer } from '#db/hosting/servers/staff/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Badge } from '../shared/Badge.tsx';
import { addressText, planText } from '../shared/state.ts';
import { ServerActions } from './ServerActions.tsx';
import type { OpenDialog } from './server-dialogs.ts';
import { staffReason } from './staff-reason.ts';
import { stepText } from './step-text.ts';

interface Props {
  of: StaffServer;
  open(dialog: OpenDialog): void;
}

/** One server of somebody: state, owner, size, where it is, and what staff do with it. */
export function StaffServerLine({ of, open }: Props) {
  const { t, number, link } = useMessages();
  const { server, owner, move_step } = of;
  const { name, plan, ram_mb, cpu_millis, disk_mb } = server;
  const reason = staffReason(server);
  const size = {
    memory: number(ram_mb / 1024, 1, 0),
    cores: number(cpu_millis / 1000, 2, 0),
    disk: number(disk_mb / 1024, 1, 0),
  };
  const planName = planText(plan);
  const address = addressText(server);
  return (
    <li>
      <div>
        <div className="row wrap">
          <h2 className="name">
            <bdi>{name}</bdi>
          </h2>
          <Badge server={server} />
        </div>
        <div className="tags">
          <a
            className="link"
            href={link(`/admin/user/${owner.id}`)}
            title={t('staff_servers.account', { name: owner.username })}
          >
            <bdi>{owner.username}</bdi>
          </a>
          <span>{server.node ? <bdi>{server.node}</bdi> : t('staff_servers.no_node')}</span>
          {address && (
            <bdi className="mono" dir="ltr">
              {address}
            </bdi>
          )}
          {server.domain && (
            <bdi className="mono" dir="ltr">
              {server.domain}
            </bdi>
          )}
        </div>
        {move_step && <p className="why">{t('staff_servers.moving', { step: t(stepText[move_step]) })}</p>}
        {reason && !move_step && <p className="why">{t(reason)}</p>}
      </div>
      <Size plan={planName ? t(planName) : <bdi>{plan}</bdi>} text={t('staff_servers.size', size)} />
      <ServerActions {...{ of, open }} />
    </li>
  );
}

const Size = ({ plan, text }: { plan: ReactNode; text: string }) => (
  <div className="cap">
    <div>
      <span>{plan}</span>
      <span className="meta">{text}</span>
    </div>
  </div>
);
