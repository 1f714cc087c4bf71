import pause from 'lucide-static/icons/pause.svg?raw';
import play from 'lucide-static/icons/play.svg?raw';
import x from 'lucide-static/icons/x.svg?raw';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../platform/ui/Icon.tsx';
import type { PickedFile } from './draft.ts';
import { FileState } from './FileState.tsx';
import { FileTypeSelect } from './FileTypeSelect.tsx';
import { pauseFile, removeFile, resumeFile, sendAnyway, setFileType } from './files.store.ts';
import { makePrimary } from './publish.store.ts';

interface FileRowProps {
  file: PickedFile;
  isPrimary: boolean;
  canBePrimary: boolean;
}

/** A file: name, size, how far it is, and what can be done with it. */
export function FileRow({ file, isPrimary, canBePrimary }: FileRowProps) {
  const { t, link } = useMessages();
  const { key, filename, state, published, reading } = file;
  const isRunning = state === 'sending' || state === 'waiting';
  return (
    <li data-state={state}>
      <span className="file">
        <bdi>{filename}</bdi>
        {isPrimary && <span className="badge">{t('publish.primary')}</span>}
      </span>
      <span className="row">
        {(isRunning || state === 'paused') && (
          <button
            className="btn quiet s icon"
            type="button"
            aria-label={t(isRunning ? 'publish.pause' : 'publish.resume', { filename })}
            onClick={() => (isRunning ? pauseFile : resumeFile)(key)}
          >
            <Drawing svg={isRunning ? pause : play} />
          </button>
        )}
        <button
          className="btn quiet s icon"
          type="button"
          aria-label={t('publish.remove_file', { filename })}
          onClick={() => removeFile(key)}
        >
          <Drawing svg={x} />
        </button>
      </span>
      <FileState file={file} />
      {published && (
        <p className="hint warn">
          {t('publish.already')}{' '}
          <a className="lnk" href={link(published.path)} target="_blank" rel="noopener">
            <bdi>
              {published.title} {published.version_number}
            </bdi>
          </a>
          {published.is_own && (
            <button className="btn s" type="button" onClick={() => sendAnyway(key)}>
              {t('publish.send_anyway')}
            </button>
          )}
        </p>
      )}
      {state === 'refused' && (
        <p className="hint bad" role="alert">
          <bdi>{file.problem}</bdi>
        </p>
      )}
      {!isPrimary && state !== 'refused' && state !== 'published' && (
        <span className="row wrap">
          <FileTypeSelect
            filename={filename}
            value={file.file_type}
            choose={(chosen) => setFileType(key, chosen)}
          />
          {canBePrimary && (
            <button className="btn s" type="button" onClick={() => makePrimary(key)}>
              {t('publish.make_primary')}
            </button>
          )}
        </span>
      )}
      {isPrimary && reading && reading.problems.length > 0 && (
        <ul className="hint warn">
          {reading.problems.map(({ code, entry, field }) => (
            <li key={`${code} ${entry} ${field}`}>
              {entry && <bdi className="mono">{[entry, field].filter(Boolean).join(', ')}</bdi>}{' '}
              {t(`publish.problem_${code}`)}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
