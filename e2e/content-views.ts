import type { ChangeView, ContentItem, ContentPlan } from '../db/hosting/servers/content/view.ts';

/** Content of a server as a control plane answers it, for tests of its page. */

const project = (name: string) => ({
  ...{ id: `P${name}`.slice(0, 8), slug: name.toLowerCase(), title: name, icon_url: null },
});
const version = (number: string) => ({ id: `v${number.replace(/\W/g, '')}`, version_number: number });
export function item(name: string, more: Partial<ContentItem> = {}): ContentItem {
  const file_name = `${name.toLowerCase()}-1.0.jar`;
  return {
    ...{ path: `mods/${file_name}`, file_name, type: 'mod', bytes: 418_000, modified: 1_790_000_000_000 },
    ...{ enabled: true, project: project(name), version: version('1.0'), update: null },
    ...{ from_pack: false, problem: null },
    ...more,
  };
}
export const some = (): ContentItem[] => [
  item('Lanternroot', { update: version('1.1') }),
  item('Mosslight', { enabled: false, path: 'mods/mosslight-1.0.jar.disabled' }),
  item('Stonecutter', { from_pack: true }),
  item('Oldroads', { problem: 'wrong_game_version', update: version('2.0-beta.1') }),
  item('private', {
    project: null,
    version: null,
    file_name: 'my-own-things.jar',
    path: 'mods/my-own-things.jar',
  }),
  item('Terraces', { type: 'datapack', path: 'world/datapacks/terraces-1.0.zip', bytes: 91_000 }),
];
let count = 0;
export function change(
  kind: ChangeView['kind'],
  step: ChangeView['step'],
  more: Partial<ChangeView> = {},
): ChangeView {
  const at = new Date(Date.now() - ++count * 600_000).toISOString();
  return {
    ...{ id: crypto.randomUUID(), kind, step, progress: null, count: 2, by: 'mirelle', created: at },
    ...{ ended: step === 'done' ? at : null, error: null, undoable: false, start_failed: false },
    items: [{ title: 'Lanternroot', from: '1.0', to: '1.1' }],
    ...more,
  };
}
export const pack = {
  project: project('Deepwood'),
  version: version('3.1'),
  update: version('3.2'),
  installed: '',
};
export const plan: ContentPlan = {
  add: [
    {
      ...{ project: project('Lanternroot'), version: version('1.1'), path: 'mods/lanternroot-1.1.jar' },
      ...{ bytes: 420_000, replaces: 'mods/lanternroot-1.0.jar', from: version('1.0'), needed_by: null },
    },
    {
      ...{ project: project('Rootlib'), version: version('0.4'), path: 'mods/rootlib-0.4.jar' },
      ...{ bytes: 20_000, replaces: null, from: null, needed_by: 'Lanternroot' },
    },
  ],
  skipped: [
    {
      ...{ project: project('Oldroads'), problem: 'wrong_game_version', needed_by: null },
      fits: { loaders: ['fabric'], game_versions: ['1.20.2', '1.20.1'] },
    },
  ],
  bytes: 440_000,
  revision: 'r1',
};
export const refused = (error: string, status: number, description: string, more = {}) => ({
  ...{ ok: false, error, status, description, ...more },
});
export const list = (content: readonly ContentItem[], more: object = {}) => ({
  ...{ ok: true, content, more: 0, revision: 'r1', types: ['mod', 'datapack'], pack: null, changes: [] },
  ...more,
});
