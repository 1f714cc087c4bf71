import type { MessageKey } from '#content/messages.ts';
import type { OptionalPurpose } from './consent.ts';

/** Where the browser keeps something: a cookie, local storage, storage of one tab, or the cache of the service worker. */
type Place = 'cookie' | 'local' | 'tab' | 'cache';
/**
 * `needed` makes something work that the visitor asked for; `preferences` remember what they set, and appear only then;
 * others need consent.
 */
export type Purpose = 'needed' | 'preferences' | OptionalPurpose;

export interface StoredItem {
  /** A `*` at the end stands for any end. */
  name: string;
  place: Place;
  purpose: Purpose;
  what: MessageKey;
  how_long: MessageKey;
}

/**
 * Everything that this site stores in browsers. `/legal/cmp` shows it, and a test finds what code stores without being
 * listed here. Source: specification §9 (Cookies).
 */
export const storedItems: readonly StoredItem[] = [
  // on https these three have `__Host-` in front
  {
    name: 'auth-token',
    place: 'cookie',
    purpose: 'needed',
    what: 'legal.item_auth',
    how_long: 'legal.for_session',
  },
  {
    name: 'form',
    place: 'cookie',
    purpose: 'needed',
    what: 'legal.item_form',
    how_long: 'legal.for_minutes',
  },
  {
    name: 'sign-in',
    place: 'cookie',
    purpose: 'needed',
    what: 'legal.item_sign_in',
    how_long: 'legal.for_half_hour',
  },
  {
    name: 'new-account',
    place: 'cookie',
    purpose: 'needed',
    what: 'legal.item_new_account',
    how_long: 'legal.for_ten_minutes',
  },
  {
    name: 'sign-in-return',
    place: 'cookie',
    purpose: 'needed',
    what: 'legal.item_sign_in_return',
    how_long: 'legal.for_ten_minutes',
  },
  {
    name: 'shown-once',
    place: 'cookie',
    purpose: 'needed',
    what: 'legal.item_shown_once',
    how_long: 'legal.for_minutes',
  },
  {
    name: 'consent',
    place: 'cookie',
    purpose: 'needed',
    what: 'legal.item_consent',
    how_long: 'legal.for_year',
  },
  {
    name: 'viewer',
    place: 'local',
    purpose: 'needed',
    what: 'legal.item_viewer',
    how_long: 'legal.until_sign_out',
  },
  {
    name: 'draft:*',
    place: 'local',
    purpose: 'needed',
    what: 'legal.item_draft',
    how_long: 'legal.until_saved',
  },
  {
    name: 'tus::*',
    place: 'local',
    purpose: 'needed',
    what: 'legal.item_upload',
    how_long: 'legal.until_published',
  },
  {
    name: 'dropped-files',
    place: 'cache',
    purpose: 'needed',
    what: 'legal.item_dropped',
    how_long: 'legal.for_minutes',
  },
  { name: 'follow', place: 'tab', purpose: 'needed', what: 'legal.item_follow', how_long: 'legal.until_tab' },
  {
    name: 'language-chosen',
    place: 'tab',
    purpose: 'needed',
    what: 'legal.item_language',
    how_long: 'legal.until_tab',
  },
  { name: 'logo', place: 'tab', purpose: 'needed', what: 'legal.item_logo', how_long: 'legal.until_tab' },
  {
    name: 'order.unanswered',
    place: 'tab',
    purpose: 'needed',
    what: 'legal.item_order',
    how_long: 'legal.until_tab',
  },
  {
    name: 'reloaded:*',
    place: 'tab',
    purpose: 'needed',
    what: 'legal.item_reloaded',
    how_long: 'legal.until_tab',
  },
  {
    name: 'servers.typed.*',
    place: 'tab',
    purpose: 'needed',
    what: 'legal.item_typed',
    how_long: 'legal.until_tab',
  },
  { name: 'toast', place: 'tab', purpose: 'needed', what: 'legal.item_toast', how_long: 'legal.until_tab' },
  {
    name: 'offline *',
    place: 'cache',
    purpose: 'needed',
    what: 'legal.item_offline',
    how_long: 'legal.until_build',
  },
  {
    name: 'locale',
    place: 'cookie',
    purpose: 'preferences',
    what: 'legal.item_locale',
    how_long: 'legal.for_years',
  },
  {
    name: 'color-mode',
    place: 'cookie',
    purpose: 'preferences',
    what: 'legal.item_theme',
    how_long: 'legal.for_years',
  },
  {
    name: 'cosmetics',
    place: 'cookie',
    purpose: 'preferences',
    what: 'legal.item_cosmetics',
    how_long: 'legal.for_years',
  },
  {
    name: 'cairn.download',
    place: 'local',
    purpose: 'preferences',
    what: 'legal.item_download',
    how_long: 'legal.until_deleted',
  },
  {
    name: 'flags',
    place: 'local',
    purpose: 'preferences',
    what: 'legal.item_flags',
    how_long: 'legal.until_deleted',
  },
  {
    name: 'files.uploads',
    place: 'local',
    purpose: 'needed',
    what: 'legal.item_uploads',
    how_long: 'legal.for_day',
  },
  {
    name: 'servers.begun',
    place: 'local',
    purpose: 'preferences',
    what: 'legal.item_begun',
    how_long: 'legal.until_deleted',
  },
  {
    name: 'servers.dismissed',
    place: 'local',
    purpose: 'preferences',
    what: 'legal.item_dismissed',
    how_long: 'legal.until_deleted',
  },
  {
    name: 'servers.preferences',
    place: 'local',
    purpose: 'preferences',
    what: 'legal.item_server_preferences',
    how_long: 'legal.until_deleted',
  },
  {
    name: 'servers.unasked',
    place: 'local',
    purpose: 'preferences',
    what: 'legal.item_unasked',
    how_long: 'legal.until_deleted',
  },
];

/** The row of something stored under `name` at `place`; undefined when nothing of that name is known. */
export const storedItem = (place: Place, name: string): StoredItem | undefined =>
  storedItems.find((item) => {
    if (item.place !== place) return false;
    const bare = place === 'cookie' ? name.replace(/^__Host-/, '') : name;
    return item.name.endsWith('*') ? bare.startsWith(item.name.slice(0, -1)) : bare === item.name;
  });
