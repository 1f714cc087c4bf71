import { useStore } from '@nanostores/react';
import type { PlayersView } from '#db/servers/players/view.ts';
import { useMessages } from '../../../text/MessagesContext.tsx';
import { $changing, changePlayers } from './players.store.ts';

/** Whether the whitelist counts, and whether it counts for who is there already. */
export function WhitelistSwitches({ players }: { players: PlayersView }) {
  const { t } = useMessages();
  const isLocked = useStore($changing) !== null || players.way === null;
  return (
    <div className="switches">
      <label className="check">
        <input
          type="checkbox"
          checked={players.whitelist_on}
          aria-disabled={isLocked}
          onChange={({ target }) => {
            if (!isLocked)
              void changePlayers({ action: target.checked ? 'whitelist_on' : 'whitelist_off', who: '' });
          }}
        />
        {t('server_players.whitelist_on')}
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={players.enforced}
          aria-disabled={isLocked}
          aria-describedby="enforce-hint"
          onChange={({ target }) => {
            if (!isLocked)
              void changePlayers({ action: target.checked ? 'enforce_on' : 'enforce_off', who: '' });
          }}
        />
        {t('server_players.enforce')}
      </label>
      <p className="hint" id="enforce-hint">
        {t('server_players.enforce_hint')}
      </p>
    </div>
  );
}
