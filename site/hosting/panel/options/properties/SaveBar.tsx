import { useStore } from '@nanostores/react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { power } from '../../core/actions.ts';
import { usePanelForm } from '../../core/form.ts';
import {
  $drafts,
  $loaded,
  loadProperties,
  problemOf,
  propertiesForm,
  saveProperties,
} from './properties.store.ts';

/** Says how much is not saved, and saves it; shown while there is something. */
export function SaveBar({ server }: { server: ServerView }) {
  const { t, count } = useMessages();
  const drafts = useStore($drafts);
  const loaded = useStore($loaded);
  const { refused, saving } = usePanelForm(propertiesForm);
  const number = Object.keys(drafts).length;
  const isWrong = loaded?.properties.some((one) => one.key in drafts && problemOf(one, drafts)) ?? false;
  const runs = server.state === 'running' || server.state === 'starting';
  const saveAndRestart = async () => {
    if (await saveProperties()) await power('restart');
  };
  return (
    <div className={number > 0 ? 'save-bar on' : 'save-bar'}>
      <div role="alert">
        {refused && (
          <Alert
            tone="bad"
            title={t(
              refused.code === 'file_changed'
                ? 'server_options.changed_meanwhile'
                : 'server_options.save_failed',
            )}
            action={
              refused.code === 'file_changed' && (
                <button className="btn" type="button" onClick={() => void loadProperties()}>
                  {t('server_options.reload')}
                </button>
              )
            }
          >
            {refused.code === 'file_changed'
              ? t('server_options.changed_meanwhile_text')
              : refused.description}
          </Alert>
        )}
      </div>
      {number > 0 && (
        <div className="acts">
          <p role="status">
            {count('server_options.changed', number)}
            {isWrong && <span className="hint bad">{t('server_options.fix_first')}</span>}
          </p>
          <button className="btn" type="button" disabled={saving} onClick={propertiesForm.reset}>
            {t('server_options.discard')}
          </button>
          {runs && (
            <button
              className="btn"
              type="button"
              disabled={saving || isWrong}
              onClick={() => void saveAndRestart()}
            >
              {t('server_options.save_restart')}
            </button>
          )}
          <button
            className="btn primary"
            type="button"
            disabled={saving || isWrong}
            onClick={() => void saveProperties()}
          >
            {t('server_options.save')}
          </button>
        </div>
      )}
    </div>
  );
}
