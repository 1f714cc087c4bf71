import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useConfirm } from '../../../shared/use-confirm.tsx';
import { useWithConnection } from '../../core/use-with-connection.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { OptionsLoading } from '../OptionsLoading.tsx';
import { Domain } from './Domain.tsx';
import { $network, $problem, loadNetwork } from './network.store.ts';
import { Ports } from './Ports.tsx';

/** How one server is reached: its ports, and a domain of its owner. */
export const Network = (props: PanelProps) => (
  <OptionsFrame {...props} option="network">
    {(server) => <Loaded server={server} />}
  </OptionsFrame>
);

function Loaded({ server }: { server: ServerView }) {
  const network = useStore($network);
  const problem = useStore($problem);
  const { confirm, dialog } = useConfirm();
  const { generation, domain, restart_due } = server;
  useWithConnection(loadNetwork);
  // others change it too, and a job checks the domain
  // biome-ignore lint/correctness/useExhaustiveDependencies: they say that it changed
  useEffect(() => void ($network.get() && loadNetwork()), [generation, domain, restart_due]);
  if (!network) return <OptionsLoading problem={problem} reload={loadNetwork} />;
  return (
    <div className="network">
      <Ports {...{ server, network }} ask={confirm} />
      <Domain {...{ server, network }} ask={confirm} />
      {dialog}
    </div>
  );
}
