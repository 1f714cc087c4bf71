import { useContext } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { AddressContext } from '../../../shared/use-address.ts';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { IconPart } from './IconPart.tsx';
import { NamePart } from './NamePart.tsx';
import { SubdomainPart } from './SubdomainPart.tsx';

/** Name, picture and address of one server. */
export const General = (props: PanelProps) => (
  <OptionsFrame {...props} option="general">
    {(server) => <All server={server} />}
  </OptionsFrame>
);

function All({ server }: { server: ServerView }) {
  const { domain } = useContext(AddressContext);
  return (
    <div className="stack general">
      <NamePart server={server} />
      <IconPart server={server} />
      {domain && <SubdomainPart domain={domain} />}
    </div>
  );
}
