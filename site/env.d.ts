/// <reference types="astro/client" />

declare namespace Astro {
  interface ClientDirectives {
    /** Hydrates an island on the first interaction with the part marked `data-use` (`ui/client-interaction.ts`). */
    'client:use'?: boolean;
  }
}

declare namespace App {
  /** The context of pages. The server sets `services`, `request_id` and `tag`, the middleware the rest. */
  interface Locals {
    services: import('./platform/context.ts').AppServices;
    request_id: string;
    /** The build of these pages, as in `/builds/latest.json`; `dev` in development. */
    build: string;
    /** Adds a cache tag to this page: `project:ID`, `search:mod`, `counts`. */
    tag(tag: string): void;
    /** Exposes the data of the page, as its loaders gave it, for `{path}/_payload.json`. */
    exposeData(data: Record<string, unknown>): void;
    /**
     * The current user, by the session cookie. A page that calls it is personal: it is not cached for others. Public
     * pages must not call it.
     */
    currentActor(): Promise<import('#db/platform/people/rules.ts').Actor | null>;
    /** What waits for staff, for the menu of their pages; asked once a page. */
    staffWaiting(): Promise<import('#db/moderation/staff/waiting.ts').StaffWaiting>;
    /** Whether `currentActor` was called. */
    isPrivate: boolean;
    /** Set by pages that load the widget of the captcha. */
    hasCaptcha?: boolean;
    /** Set by pages that measure REGION_PINGS. */
    hasPings?: boolean;
    /** The page asks for a card, in the form of the payment processor. */
    asksForCard?: boolean;
    /** Whether the build renders this page: no request, no database, tokens instead of settings (`static-pages/`). */
    isStatic: boolean;
    messages: import('#content/messages.ts').Messages;
    t: import('#content/messages.ts').Translate;
    locale: string;
    dir: 'ltr' | 'rtl';
    now: Date;
    /** A local path with `hl` added while the address has it. */
    link(path: string): string;
    /** The requested path, also on the error page. */
    path: string;
    /** An origin that a form of this page may lead to, beside our own. */
    formTarget?: string;
    /** The origin of a machine that this page sends files to and gets them from, beside our own. */
    transferOrigin?: string;
    problem?: import('./platform/error-page/error-page.ts').Problem;
    /** The panel whose page was refused for want of a right: the error page keeps its head. */
    refusedPanel?: import('./hosting/panel/refused-panel.ts').RefusedPanel;
  }
}
