import type { ReactNode } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';
import { OptionsNav } from './OptionsNav.tsx';
import type { OptionPageId } from './options.ts';

interface Props extends PanelProps {
  option: OptionPageId;
  /** The page, for the server as it is now. */
  children(server: ServerView): ReactNode;
}

/** What every page of options has: the panel around it, and the way to the other pages. */
export const OptionsFrame = ({ option, children, ...panel }: Props) => (
  <PanelFrame {...panel} current="options">
    {(server) => (
      <>
        <OptionsNav id={server.id} current={option} />
        {children(server)}
      </>
    )}
  </PanelFrame>
);
