import { useState } from 'react';
import { sizeText } from '../../../../platform/text/bytes.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../../shared/Icon.tsx';
import { whenText } from '../format.ts';
import { nameOf } from '../paths.ts';
import type { UploadChoice, UploadItem } from '../upload-queue.ts';
import { choose } from './uploads.ts';

const choices = [
  ['rename', 'server_files.keep_both'],
  ['replace', 'server_files.replace'],
  ['skip', 'server_files.skip'],
] as const satisfies [UploadChoice, string][];

/** Something with the name of an upload is there: what becomes of both. */
export function UploadConflict({ item, others }: { item: UploadItem; others: number }) {
  const messages = useMessages();
  const { t, count } = messages;
  const [forAll, setForAll] = useState(false);
  const now = new Date();
  const { key, path, bytes, modified, existing } = item;
  const described = (one: { bytes: number; modified: number }) =>
    t('server_files.size_and_date', {
      size: sizeText(messages, one.bytes),
      date: whenText(messages, one.modified, now),
    });
  return (
    <section className="clash" aria-label={t('server_files.upload_exists', { name: nameOf(path) })}>
      <Icon name="warn" />
      <div>
        <b role="alert">
          <bdi>{t('server_files.upload_exists', { name: nameOf(path) })}</bdi>
        </b>
        <p className="meta">
          {existing && t('server_files.upload_here', { what: described(existing) })}{' '}
          {t('server_files.upload_yours', { what: described({ bytes, modified }) })}
        </p>
      </div>
      <div className="row wrap">
        {choices.map(([choice, key_of_text]) => (
          <button
            key={choice}
            className={choice === 'skip' ? 'btn quiet s' : 'btn s'}
            type="button"
            onClick={() => {
              choose(key, choice, forAll);
              setForAll(false);
            }}
          >
            {t(key_of_text)}
          </button>
        ))}
        {others > 0 && (
          <label className="check">
            <input type="checkbox" checked={forAll} onChange={({ target }) => setForAll(target.checked)} />
            {count('server_files.for_all', others + 1)}
          </label>
        )}
      </div>
    </section>
  );
}
