import { OptionsNav } from '../options/OptionsNav.tsx';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';

/** Head and tabs above the billing of a server, which works without scripts and is no island. */
export const BillingHead = (props: PanelProps) => (
  <PanelFrame {...props} current="options">
    {(server) => <OptionsNav id={server.id} current="billing" />}
  </PanelFrame>
);
