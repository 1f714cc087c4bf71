import { it } from 'vitest';
import { kindOffers } from '../../db/hosting/server-kinds/rules.ts';
import { demoServers, playsVersion } from '../testing/demo-servers.ts';

const servers = demoServers();

it.each(kindOffers.local.game_versions)(
  'the demo server is joined by a real player of version %s, who hears and is heard, and stops when told',
  (game_version) => playsVersion(servers, game_version),
);
