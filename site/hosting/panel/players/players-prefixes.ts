import { panelPrefixes } from '../../shared/panel-prefixes.ts';

/** What the page of players says: the panel around it, its own texts, and why something typed is not possible. */
export const playersPrefixes = [...panelPrefixes, 'server_players.', 'error.player_'] as const;
