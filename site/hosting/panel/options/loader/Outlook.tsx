import type { LoaderSpec } from '#db/hosting/servers/content/change-work.ts';
import { contentAfter, isOlderGame } from '#db/hosting/servers/content/loader-rules.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../../shared/Alert.tsx';
import { loaderName } from '../../../shared/loader-name.ts';
import { specText } from './names.ts';

interface Props {
  now: LoaderSpec;
  to: LoaderSpec;
  backup: boolean;
  erase: boolean;
  stops: boolean;
}

/** What the chosen change will do, step by step, and what it may break. */
export function Outlook({ now, to, backup, erase, stops }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const content = erase ? 'kept' : contentAfter(now, to);
  const steps = [
    stops && t('loader.will_stop'),
    backup && t('loader.will_backup'),
    erase && t('loader.will_erase'),
    t('loader.will_change', { what: specText(labels, to) }),
    t(stops ? 'loader.will_start' : 'loader.will_stay_off'),
  ];
  return (
    <div className="stack" aria-live="polite">
      <h3>{t('loader.what_happens')}</h3>
      <ol className="outlook">{steps.map((step) => step && <li key={step}>{step}</li>)}</ol>
      {content !== 'kept' && (
        <Alert tone="warn" title={t(`loader.content_${content}`)}>
          {t(`loader.content_${content}_text`, { loader: loaderName(labels, now.loader) })}
        </Alert>
      )}
      {!erase && isOlderGame(now.game_version, to.game_version) && (
        <Alert tone="warn" title={t('loader.older_game')}>
          {t('loader.older_game_text', { now: now.game_version, to: to.game_version })}
        </Alert>
      )}
    </div>
  );
}
