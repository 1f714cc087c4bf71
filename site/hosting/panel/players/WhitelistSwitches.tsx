import { useStore } from '@nanostores/react';
import type { PlayersAction } from '#db/hosting/servers/players/rules.ts';
import type { PlayersView } from '#db/hosting/servers/players/view.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { $changing, changePlayers } from './players.store.ts';

/** Whether the whitelist counts, and whether it counts for who is there already. */
export function WhitelistSwitches({ players }: { players: PlayersView }) {
  const { t } = useMessages();
  const changing = useStore($changing);
  const isLocked = changing !== null || players.way === null;
  // what was chosen is shown until the answer comes
  const shown = (on: PlayersAction, off: PlayersAction, now: boolean) =>
    changing?.action === on || (changing?.action !== off && now);
  return (
    <div className="switches">
      <label className="check">
        <input
          type="checkbox"
          checked={shown('whitelist_on', 'whitelist_off', players.whitelist_on)}
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
          checked={shown('enforce_on', 'enforce_off', players.enforced)}
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
