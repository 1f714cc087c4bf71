/// <reference types="astro/client" />

declare namespace Astro {
  interface ClientDirectives {
    /** Loads an island when one first goes to the part marked `data-use` (`ui/client-interaction.ts`). */
    'client:use'?: boolean;
  }
}

declare namespace App {
  /** What pages work with. The server gives `services`, `request_id` and `shows`, the middleware the rest. */
  interface Locals {
    services: import('./context.ts').AppServices;
    request_id: string;
    /** The build these pages belong to, as `/builds/latest.json` names it; `dev` while developing. */
    build: string;
    /** Tells the page store what this page showed: `project:ID`, `search:mod`, `counts`. */
    tag(tag: string): void;
    /** Gives out what the page shows, as its loaders made it, for `{path}/_payload.json`. */
    exposeData(data: Record<string, unknown>): void;
    /**
     * Who looks, by the session cookie. Whoever asks makes the page one person's own: it is not kept for others.
     * Pages that everyone shares must not ask.
     */
    currentActor(): Promise<import('#db/people/rules.ts').Actor | null>;
    /** Whether `who` was asked. */
    isPrivate: boolean;
    messages: import('#content/messages.ts').Messages;
    t: import('#content/messages.ts').Translate;
    locale: string;
    dir: 'ltr' | 'rtl';
    now: Date;
    /** A path of our own with `hl` kept while the address has one. */
    link(path: string): string;
    /** The path that was asked for, also on the error page. */
    path: string;
    problem?: import('./error-page/error-page.ts').Problem;
  }
}
