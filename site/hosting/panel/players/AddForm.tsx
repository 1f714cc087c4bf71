import { useStore } from '@nanostores/react';
import { type FormEvent, useId, useState } from 'react';
import type { PlayerList } from '#db/hosting/servers/players/lists.ts';
import {
  max_reason_characters,
  operatorLevels,
  type PlayersAction,
  whyNotPlayersChange,
} from '#db/hosting/servers/players/rules.ts';
import type { PlayersView } from '#db/hosting/servers/players/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { $changing, $drafts, changePlayers, draftOf, editDraft } from './players.store.ts';

const additions: Record<PlayerList, PlayersAction> = {
  whitelist: 'whitelist_add',
  operators: 'op',
  bans: 'ban',
  address_bans: 'ban_address',
};

/** Puts somebody on a list. What is typed wrong, and what is refused, is said below the field. */
export function AddForm({ name, players }: { name: PlayerList; players: PlayersView }) {
  const { t, number } = useMessages();
  const id = useId();
  const changing = useStore($changing);
  const { who, reason, level } = draftOf(useStore($drafts), name);
  const [refused, setRefused] = useState('');
  const takesReason = name === 'bans' || name === 'address_bans';
  const change = { action: additions[name], who: who.trim(), reason, level };
  const wrong = change.who === '' ? null : whyNotPlayersChange(change);
  const problem =
    refused ||
    (wrong &&
      t(
        wrong.code === 'player_address_invalid'
          ? 'error.player_address_invalid'
          : 'error.player_name_invalid',
      ));
  const isReady = change.who !== '' && !wrong && players.way !== null && changing === null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setRefused('');
    const done = await changePlayers(change, ({ description }) => {
      setRefused(description);
      return true;
    });
    if (!done) return;
    editDraft(name, { who: '', reason: '' });
  };
  return (
    <form className="add-player" noValidate onSubmit={(event) => void submit(event)}>
      <div className="field">
        <label htmlFor={id}>
          {t(name === 'address_bans' ? 'server_players.address' : 'server_players.name')}
        </label>
        <input
          className="in"
          id={id}
          dir="ltr"
          value={who}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-wrong`}
          onChange={({ target }) => {
            editDraft(name, { who: target.value });
            setRefused('');
          }}
        />
      </div>
      {takesReason && (
        <div className="field">
          <label htmlFor={`${id}-reason`}>{t('server_players.reason')}</label>
          <input
            className="in"
            id={`${id}-reason`}
            dir="auto"
            value={reason}
            maxLength={max_reason_characters}
            autoComplete="off"
            onChange={({ target }) => editDraft(name, { reason: target.value })}
          />
        </div>
      )}
      {name === 'operators' && (
        <div className="field">
          <label htmlFor={`${id}-level`}>{t('server_players.level')}</label>
          <select
            className="in"
            id={`${id}-level`}
            value={level ?? ''}
            onChange={({ target }) =>
              editDraft(name, { level: target.value === '' ? null : Number(target.value) })
            }
          >
            <option value="">
              {t('server_players.level_default', { level: number(players.default_level) })}
            </option>
            {operatorLevels.map((one) => (
              <option key={one} value={one}>
                {t(`server_players.level_${one}`)}
              </option>
            ))}
          </select>
        </div>
      )}
      <button
        className="btn"
        type="submit"
        aria-disabled={!isReady}
        aria-busy={changing?.action === change.action}
      >
        {t(takesReason ? 'server_players.do_ban' : 'server_players.add')}
      </button>
      <p className="hint bad" id={`${id}-wrong`} aria-live="polite">
        {problem}
      </p>
    </form>
  );
}
