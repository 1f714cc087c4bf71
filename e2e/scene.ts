import type { Page } from 'playwright/test';

/** How a page may look beside its usual state. */
export type PageState = 'empty' | 'loading' | 'error' | 'many' | 'long words' | 'right to left';

/** A screen to photograph. */
export interface Scene {
  name: string;
  path: string;
  /** The account that opens it: its name, somebody who has nothing, whoever rented the server, or nobody. */
  reader: string | 'newcomer' | 'renter' | null;
  state: PageState | 'usual';
  /** Only one of the looks; both by default. */
  only?: 'desktop' | 'phone';
  /** What has to be in place before the page is opened, such as requests without an answer. */
  before?: (page: Page) => Promise<unknown>;
  /** An action before the picture, which then shows the window instead of the whole page. */
  act?: (page: Page) => Promise<unknown>;
}
