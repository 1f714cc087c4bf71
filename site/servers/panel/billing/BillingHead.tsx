import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';

/** Head and tabs above the billing of a server, which works without scripts and is no island. */
export const BillingHead = (props: PanelProps) => (
  <PanelFrame {...props} current="billing">
    {() => null}
  </PanelFrame>
);
