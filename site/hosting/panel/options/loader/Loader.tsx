import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../../platform/ui/Empty.tsx';
import type { PanelProps } from '../../PanelFrame.tsx';
import { OptionsFrame } from '../OptionsFrame.tsx';
import { OptionsLoading } from '../OptionsLoading.tsx';
import { ChangeForm } from './ChangeForm.tsx';
import { LastChange } from './LastChange.tsx';
import { $change, $loader, $problem, followLoader, loadLoader } from './loader.store.ts';
import { Now } from './Now.tsx';
import { Progress } from './Progress.tsx';

/** Game version and loader of one server: what it is, changing it with a backup before, and taking that back. */
export const Loader = (props: PanelProps) => (
  <OptionsFrame {...props} option="loader">
    {(server) => <All server={server} />}
  </OptionsFrame>
);

const specKey = ({ game_version, loader, loader_version }: ServerView) =>
  `${game_version} ${loader} ${loader_version}`;

function All({ server }: { server: ServerView }) {
  const { t } = useMessages();
  const known = useStore($loader);
  const change = useStore($change);
  const problem = useStore($problem);
  useEffect(followLoader, []);
  const isOpen = change !== null && change.ended === null;
  return (
    <div className="ldr" aria-busy={!known && !problem}>
      <Now server={server} />
      {(problem || !known) && <OptionsLoading problem={problem} reload={loadLoader} rows={4} />}
      {known && change && (isOpen ? <Progress change={change} /> : <LastChange {...{ change, server }} />)}
      {/* once it is something else, the form begins anew */}
      {known && known.offers.length > 0 && !isOpen && (
        <ChangeForm key={specKey(server)} {...{ server, known }} />
      )}
      {known?.offers.length === 0 && (
        <Empty title={t('loader.none_offered')} text={t('loader.none_offered_text')} />
      )}
    </div>
  );
}
