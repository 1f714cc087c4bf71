import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { cancellableKinds } from '#db/hosting/servers/files/rules.ts';
import type { OperationView } from '#db/hosting/servers/operation-view.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { sizeText } from '../../../platform/text/bytes.ts';
import { type PageMessages, useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { requestFromPanel } from '../core/open-panel.ts';
import { $connection, $operation } from '../core/panel.store.ts';
import { isGoingOn } from './folder.ts';
import { isCanceled } from './operation.ts';
import { $named, $operations } from './operations.store.ts';

/** Shorter ones are not worth a line. */
const shown_after_ms = 500;
/** How long the end of one that went well stays. */
const stays_ms = 6_000;

const kinds: Record<string, MessageKey> = {
  file_copy: 'server_files.doing_copy',
  file_move: 'server_files.doing_move',
  file_delete: 'server_files.doing_delete',
  file_restore: 'server_files.doing_restore',
  file_purge: 'server_files.doing_purge',
  file_unpack: 'server_files.doing_unpack',
  file_fetch: 'server_files.doing_fetch',
};
/** Those whose progress counts bytes. */
const of_bytes = new Set(['file_fetch', 'file_copy', 'file_unpack']);

const forget = (op_id: string): void => {
  const { [op_id]: _, ...others } = $operations.get();
  $operations.set(others);
};

/** What goes on among the files of this server, whoever began it, and how it ended. */
export function Operations() {
  const { t } = useMessages();
  useEvents();
  const all = useStore($operations);
  return (
    <ul className="operations" aria-label={t('server_files.operations')}>
      {Object.values(all).map((one) => (
        <Operation key={one.op_id} view={one} />
      ))}
    </ul>
  );
}

/** Takes the events of operations on files, and asks about those whose end was lost with the connection. */
function useEvents(): void {
  useEffect(() => {
    const take = (view: OperationView | null) => {
      if (!view || !Object.hasOwn(kinds, view.kind)) return;
      const known = $operations.get()[view.op_id];
      // it ended before anybody saw that it went on
      if (!known && !isGoingOn(view.state)) return;
      $operations.setKey(view.op_id, view);
    };
    const ends = [
      $operation.subscribe(take),
      $connection.listen(async (line) => {
        if (line !== 'open') return;
        for (const { op_id, state } of Object.values($operations.get())) {
          if (!isGoingOn(state)) continue;
          const answer = await requestFromPanel('server.operation', { op_id });
          if (answer.ok) take(answer.data.operation);
        }
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

function Operation({ view }: { view: OperationView }) {
  const messages = useMessages();
  const { t } = messages;
  const named = useStore($named)[view.op_id];
  const goesOn = isGoingOn(view.state);
  const [isShown, setShown] = useState(false);
  const [isCanceling, setCanceling] = useState(false);
  const isOver = view.state === 'done' || (!goesOn && isCanceled(view.error ?? { code: '' }));
  useEffect(() => {
    if (goesOn) {
      const timer = setTimeout(() => setShown(true), shown_after_ms);
      return () => clearTimeout(timer);
    }
    if (!isShown) return forget(view.op_id);
    if (!isOver) return;
    const timer = setTimeout(() => forget(view.op_id), stays_ms);
    return () => clearTimeout(timer);
  }, [goesOn, isOver, isShown, view.op_id]);
  if (!isShown) return null;
  const cancel = async () => {
    setCanceling(true);
    // what it was meanwhile comes by its event
    const { ok } = await mutate({
      send: () => requestFromPanel('files.cancel', { op_id: view.op_id }),
      repeatable: true,
    });
    if (!ok) setCanceling(false);
  };
  const what = t(kinds[view.kind]!);
  return (
    <li>
      <b>
        {what} {named && <bdi>{named}</bdi>}
      </b>
      {goesOn && <Progress view={view} what={what} />}
      <span role="status" className={isOver || goesOn ? 'meta' : 'err'}>
        {goesOn ? isCanceling && t('server_files.operation_canceling') : endOf(view, t)}
      </span>
      {goesOn && cancellableKinds.includes(view.kind) && (
        <button
          className="btn s"
          type="button"
          aria-label={t('server_files.operation_cancel', { what: named ? `${what} ${named}` : what })}
          aria-disabled={isCanceling}
          onClick={() => !isCanceling && void cancel()}
        >
          {t('servers.cancel')}
        </button>
      )}
      {!goesOn && (
        <button
          className="btn quiet s icon"
          type="button"
          aria-label={t('servers.close')}
          onClick={() => forget(view.op_id)}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

/** How an operation ended, in a word or as its refusal. */
function endOf({ state, error }: OperationView, t: PageMessages['t']): string {
  if (state === 'done') return t('server_files.operation_done');
  if (error && isCanceled(error)) return t('server_files.operation_canceled');
  return error?.description || t('server_files.operation_failed');
}

function Progress({ view, what }: { view: OperationView; what: string }) {
  const messages = useMessages();
  const { done = 0, total = null } = view.progress ?? {};
  const amount = (number: number) =>
    of_bytes.has(view.kind) ? sizeText(messages, number) : messages.number(number);
  const how_far =
    total === null
      ? amount(done)
      : messages.t('server_files.of', { done: amount(done), total: amount(total) });
  return (
    <>
      <progress className="meter go" aria-label={what} {...(total && { value: done, max: total })} />
      <span className="meta num">{view.progress && how_far}</span>
    </>
  );
}
