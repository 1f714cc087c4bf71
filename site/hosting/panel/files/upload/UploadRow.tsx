import pauseIcon from 'lucide-static/icons/pause.svg?raw';
import type { MessageKey } from '#content/keys.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../../../platform/ui/Icon.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { FileIcon } from '../FileIcon.tsx';
import { kindOf } from '../file-kind.ts';
import { nameOf } from '../paths.ts';
import type { UploadItem, UploadState } from '../upload-queue.ts';
import { cancel, pause, resume } from './uploads.ts';

const stateTexts: Partial<Record<UploadState, MessageKey>> = {
  queued: 'server_files.upload_queued',
  waiting: 'server_files.upload_waiting',
  paused: 'server_files.upload_paused',
  placing: 'server_files.upload_placing',
};

/** One file on its way. */
export function UploadRow({ item }: { item: UploadItem }) {
  const { t, number } = useMessages();
  const { key, path, state, sent, bytes, problem } = item;
  const name = nameOf(path);
  const percent = bytes === 0 ? 0 : Math.floor((100 * sent) / bytes);
  const canPause = state === 'queued' || state === 'sending' || state === 'waiting';
  const canResume = state === 'paused' || state === 'failed';
  return (
    <li data-state={state}>
      <FileIcon kind={kindOf({ name, type: 'file' })} />
      <span className="clip" title={path}>
        <bdi>{name}</bdi>
      </span>
      {state === 'failed' ? (
        <span className="err">{problem}</span>
      ) : (
        <span className="far">
          {(state === 'sending' || sent > 0) && (
            <progress
              className="meter go"
              aria-label={t('server_files.upload_of', { name })}
              value={sent}
              max={bytes || 1}
            />
          )}
          {stateTexts[state] && <span className="meta">{t(stateTexts[state])}</span>}
        </span>
      )}
      <span className="meta num">
        {state === 'sending' && t('servers.percent', { number: number(percent) })}
      </span>
      <span className="row tight">
        {canPause && (
          <button
            className="btn quiet s icon"
            type="button"
            aria-label={t('server_files.pause', { name })}
            onClick={() => pause(key)}
          >
            <Drawing svg={pauseIcon} />
          </button>
        )}
        {canResume && (
          <button
            className="btn quiet s icon"
            type="button"
            aria-label={t(state === 'failed' ? 'server_files.retry' : 'server_files.resume', { name })}
            onClick={() => resume(key)}
          >
            <Icon name={state === 'failed' ? 'restart' : 'start'} />
          </button>
        )}
        <button
          className="btn quiet s icon"
          type="button"
          aria-label={t('server_files.cancel', { name })}
          onClick={() => cancel(key)}
        >
          <Icon name="close" />
        </button>
      </span>
    </li>
  );
}
