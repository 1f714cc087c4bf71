import { PanelFrame, type PanelProps } from '../PanelFrame.tsx';
import { Files } from './Files.tsx';

/** The files of one server. */
export const FilesPage = (props: PanelProps) => (
  <PanelFrame {...props} current="files">
    {(server) => <Files server={server} />}
  </PanelFrame>
);
