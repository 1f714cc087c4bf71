import { describe, expect, it } from 'vitest';
import { publishPrefixes } from '#site/catalogue/publish/publish-prefixes.ts';
import { analyticsPrefixes } from '#site/discovery/analytics/analytics-prefixes.ts';
import { installPrefixes } from '#site/discovery/install-mode/install-prefixes.ts';
import { resultPrefixes } from '#site/discovery/search/result-prefixes.ts';
import { boardPrefixes, staffServersPrefixes } from '#site/hosting/nodes/board-prefixes.ts';
import { panelTexts } from '#site/hosting/panel/panel-texts.ts';
import { refusedPrefixes } from '#site/hosting/panel/refused-panel.ts';
import { panelPrefixes } from '#site/hosting/shared/panel-prefixes.ts';
import { revenuePrefixes } from '#site/money/revenue/revenue-prefixes.ts';
import { projectSources } from './bin/architecture/source-tree.ts';
import { islandMessages } from './content/island-messages.ts';
import { messageKeys, messages } from './content/messages.ts';

/** What islands and scripts say: every key they use is in the catalogue, below a prefix that they get. */
const tree = projectSources();
/** The islands that say something, and what they get. */
const islands: ReadonlyArray<readonly [path: string, prefixes: readonly string[]]> = [
  ['site/discovery/analytics/Analytics.tsx', analyticsPrefixes],
  ['site/money/revenue/RevenueChart.tsx', revenuePrefixes],
  ['site/hosting/list/List.tsx', panelPrefixes],
  ['site/hosting/panel/Panel.tsx', panelTexts('overview')],
  ['site/hosting/panel/FullPanel.tsx', panelTexts('overview')],
  ['site/hosting/panel/OrderPanel.tsx', panelTexts('overview')],
  ['site/hosting/panel/content/Content.tsx', panelTexts('content')],
  ['site/hosting/panel/players/Players.tsx', panelTexts('players')],
  ['site/hosting/panel/files/FilesPage.tsx', panelTexts('files')],
  ['site/hosting/panel/backups/Backups.tsx', panelTexts('backups')],
  ['site/hosting/panel/schedules/Schedules.tsx', panelTexts('schedules')],
  ['site/hosting/panel/performance/Performance.tsx', panelTexts('performance')],
  ['site/hosting/panel/people/People.tsx', panelTexts('access')],
  ['site/hosting/panel/activity/Activity.tsx', panelTexts('activity')],
  ['site/hosting/panel/options/general/General.tsx', panelTexts('general')],
  ['site/hosting/panel/options/properties/Properties.tsx', panelTexts('properties')],
  ['site/hosting/panel/options/startup/Startup.tsx', panelTexts('startup')],
  ['site/hosting/panel/options/sleep/Sleep.tsx', panelTexts('sleep')],
  ['site/hosting/panel/options/network/Network.tsx', panelTexts('network')],
  ['site/hosting/panel/options/preferences/Preferences.tsx', panelTexts('preferences')],
  ['site/hosting/panel/billing/BillingHead.tsx', panelTexts('billing')],
  ['site/hosting/panel/setup/OrderFrame.tsx', panelTexts('billing')],
  ['site/hosting/panel/RefusedPanel.tsx', refusedPrefixes],
  ['site/discovery/install-mode/InstallMode.tsx', installPrefixes],
  ['site/hosting/nodes/NodesBoard.tsx', boardPrefixes],
  ['site/hosting/staff/ServersList.tsx', staffServersPrefixes],
  ['site/hosting/staff/MovesList.tsx', staffServersPrefixes],
  ['site/hosting/staff/Zone.tsx', staffServersPrefixes],
  ['site/catalogue/publish/DeleteVersion.tsx', publishPrefixes],
  ['site/catalogue/publish/VersionForm.tsx', publishPrefixes],
  ['site/discovery/search/Results.tsx', resultPrefixes],
  ['site/discovery/search/ActiveFilters.tsx', resultPrefixes],
];
const quoted = (text: string): string[] => [...text.matchAll(/'([^']+)'/g)].map(([, prefix]) => prefix!);
/** The prefixes of every script, by its path. */
const scripts = tree.paths.flatMap((path) =>
  [...tree.code(path).matchAll(/readMessages<([^>]+)>/g)].map(([, type]) => [path, type!] as const),
);
const sent = tree.paths.flatMap((path) =>
  [...tree.code(path).matchAll(/islandMessages\(\s*messages,([^)]*)\)/g)].map(([, list]) => quoted(list!)),
);
const prefixesSent = [
  ...new Set(
    [
      ...sent,
      panelTexts('content'),
      panelTexts('players'),
      boardPrefixes,
      staffServersPrefixes,
      publishPrefixes,
      resultPrefixes,
    ].flat(),
  ),
];

/** Names in the browser's storage that look like keys. */
const storageKeys = new Set([
  'servers.unasked',
  'servers.typed.',
  'servers.dismissed',
  'servers.begun',
  'servers.preferences',
]);

/** Keys of messages among the literals of a file; of a template what stands before its first value. */
function keysIn(path: string): Array<{ key: string; whole: boolean }> {
  const heads = new Set(messageKeys.map((key) => key.slice(0, key.indexOf('.') + 1)));
  const code = tree.code(path).replace(/^import .*$/gm, '');
  const literals = [...code.matchAll(/(['"`])([a-z_]+\.[^'"`\n]*)\1/g)].map(([, , text]) => text!);
  return literals
    .filter((text) => !storageKeys.has(text.split('${')[0]!))
    .filter((text) => heads.has(text.slice(0, text.indexOf('.') + 1)) && !/[\s/]/.test(text.split('${')[0]!))
    .map((text) => ({ key: text.split('${')[0]!, whole: !text.includes('${') }));
}

/** Its sentences are for the server; browsers use what needs no text. */
const server_texts = ['site/platform/text/format.ts', 'site/platform/text/short-numbers.ts'];

function reached(from: string, seen = new Set<string>()): Set<string> {
  if (seen.has(from) || !tree.has(from) || server_texts.includes(from)) return seen;
  seen.add(from);
  for (const { to, type } of tree.imports(from)) if (!type) reached(to, seen);
  return seen;
}

describe('texts of islands', () => {
  it('are listed for every island that says something', () => {
    const providers = tree.paths.filter(
      (path) => path.endsWith('.tsx') && /<MessagesProvider\b/.test(tree.code(path)),
    );
    const covered = new Set(islands.flatMap(([path]) => [...reached(path)]));
    expect(providers.filter((path) => !covered.has(path))).toEqual([]);
  });

  it.each(islands)('%s finds every key that it uses below its prefixes', (island, prefixes) => {
    // a file that reads its texts from the page is a script, wherever it is used
    const own_paths = [...reached(island)].filter((path) => !scripts.some(([script]) => script === path));
    const used = own_paths.flatMap((path) => keysIn(path).map((one) => ({ path, ...one })));
    expect(used.length).toBeGreaterThan(0);
    const own = messageKeys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
    const missing = used.filter(({ key, whole }) =>
      whole ? !own.includes(key) : !own.some((one) => one.startsWith(key)),
    );
    expect(missing).toEqual([]);
  });

  it.each(scripts)('%s reads what its page sends: %s', (path, type) => {
    const wanted = type.includes('`') ? [] : quoted(type).length > 0 ? quoted(type) : typeOf(path, type);
    for (const prefix of wanted) expect(prefixesSent).toContain(prefix);
  });
  const typeOf = (path: string, name: string): string[] =>
    quoted(new RegExp(`type ${name} =([^;]+);`).exec(tree.code(path))?.[1] ?? '');

  it('hold nothing but what begins with a prefix', () => {
    const { texts } = islandMessages(messages('en-US'), 'suggest.f');
    expect(Object.keys(texts)).toEqual(['suggest.found', 'suggest.failed']);
  });
});

it('prints the loader of a server by its name only', () => {
  const pages = /^site\/(hosting|discovery\/install-mode|pages\/servers)\/.*\.(tsx|astro)$/;
  const raw = /\{(\w+\.)*loader( \?\? .*)?\}<|tagName\(.*loader/;
  expect(tree.paths.filter((path) => pages.test(path) && raw.test(tree.code(path)))).toEqual([]);
});
