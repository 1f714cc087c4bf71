import type { Page, Route } from 'playwright/test';
import { inLanguage } from './pages.ts';
import type { PageState, Scene } from './scene.ts';

type Given = Partial<Pick<Scene, 'path' | 'reader' | 'before' | 'act'>>;

/** Requests of the page to these addresses get no answer: what waits for them is loading. */
const held = (address: RegExp) => (page: Page) => page.route(address, () => {});
/** They fail. */
const failing = (address: RegExp) => (page: Page) => page.route(address, (route: Route) => route.abort());

const types = async (page: Page) => {
  await page.locator('form[data-live]').waitFor();
  await page.locator('main [type=search]').first().pressSequentially('lan');
  await page.waitForTimeout(600);
};
const found = /\/found\//;
const newcomer: Given = { reader: 'newcomer' };
const texts = { 'long words': {}, 'right to left': {} };
/** No connection to the control plane: what a panel shows before it has one, and that it has lost it. */
const disconnected = (page: Page) => page.routeWebSocket(/socket\.io/, (socket) => void socket.close());

/** What else there is to see of a page, by the names of scenes. */
const states: Readonly<Record<string, Partial<Record<PageState, Given>>>> = {
  '/': { ...texts, empty: newcomer },
  '/mods?q=lantern&g=rift': {
    ...texts,
    empty: { path: '/mods?q=zzzzqqqq' },
    many: { path: '/mods?m=100' },
    loading: { path: '/mods', before: held(found), act: types },
    error: { path: '/mods', before: failing(found), act: types },
  },
  '/mod/lanternroot': texts,
  '/mod/lanternroot/versions': { ...texts, empty: { path: '/mod/lanternroot/versions?g=1.0' } },
  '/mod/lanternroot/version/2.4.1': texts,
  '/user/fen?s=updated': { ...texts, empty: { path: '/user/player' } },
  '/organization/stonewrights/mods': texts,
  '/settings/profile': texts,
  '/settings/account': texts,
  '/settings/notifications': { ...texts, empty: newcomer },
  '/settings/billing': { empty: newcomer },
  '/settings/billing/charges': { empty: newcomer },
  '/settings/pats': { empty: newcomer },
  '/settings/pats/new': texts,
  '/settings/applications': { empty: newcomer },
  '/settings/authorizations': { empty: newcomer },
  '/settings/security-log': { empty: newcomer },
  '/mod/millrace/settings': texts,
  '/mod/millrace/settings/general': texts,
  '/mod/millrace/settings/gallery': texts,

  '/mod/millrace/version/create': texts,
  '/dashboard': { ...texts, empty: newcomer },
  '/dashboard/analytics': {
    ...texts,
    empty: newcomer,
    loading: { before: held(/\/(v3|_internal)\/analytics/) },
    error: { before: failing(/\/(v3|_internal)\/analytics/) },
  },
  '/dashboard/revenue': { ...texts, empty: newcomer },
  '/dashboard/revenue/transfers': { empty: newcomer },
  '/dashboard/projects': { ...texts, empty: newcomer },
  '/dashboard/collections': { empty: newcomer },
  '/dashboard/organizations': { empty: newcomer },
  '/dashboard/notifications': { ...texts, empty: newcomer },
  '/dashboard/reports': { empty: newcomer },
  '/moderation': { ...texts, empty: { path: '/moderation?q=zzzzqqqq' } },
  '/moderation/reports?view=unread&q=lantern': {
    ...texts,
    empty: { path: '/moderation/reports?q=zzzzqqqq' },
  },
  '/moderation/technical-review': texts,
  '/admin': texts,
  '/admin/audit': { ...texts, empty: { path: '/admin/audit?q=zzzzqqqq' } },
  '/admin/billing': texts,
  '/admin/takedowns?view=all': texts,
  '/servers/manage': { ...texts, empty: newcomer },
  panel: { ...texts, error: { before: disconnected } },
  'panel/content': { ...texts, error: { before: disconnected } },
  'panel/files': { ...texts, error: { before: disconnected } },
  'panel/backups': { ...texts, error: { before: disconnected } },
  'panel/options/properties': { ...texts, error: { before: disconnected } },
  'panel/options/alerts': texts,
};

/** The names that have states; each must be a scene. */
export const namesWithStates = Object.keys(states);

/** The scenes of the states of a page: words that are a third longer, and mirrored ones, on a phone; the others on a desktop. */
export const statesOf = (scene: Scene): Scene[] =>
  Object.entries(states[scene.name] ?? {}).map(([state, given]) => {
    const language = { 'long words': 'en-XA', 'right to left': 'ar-XB' }[state];
    return {
      ...scene,
      ...given,
      state: state as PageState,
      path: language ? inLanguage(given.path ?? scene.path, language) : (given.path ?? scene.path),
      only: language ? 'phone' : 'desktop',
    };
  });
