import type { Messages } from '../messages.ts';

/** One part of a mail. Each is written twice: as HTML (`layout.ts`) and as plain text (`render.ts`). */
export type Block =
  /** `lang`: its language where it is another than the mail’s. */
  | { kind: 'text'; text: string; lang?: string }
  /** Smaller: what to do when something is wrong. */
  | { kind: 'note'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'facts'; rows: Array<{ name: string; value: string }> }
  | { kind: 'list'; title: string; url: string; items: Array<{ text: string; url: string }> };

/** What a mail says, in one language. */
export interface MailText {
  subject: string;
  /** Above the blocks; the subject where it says the same. */
  heading?: string;
  /** The language of the heading where it is another than the mail’s. */
  heading_lang?: string;
  blocks: Block[];
}

/** The site that sends a mail. */
export interface MailSite {
  /** Its address without a trailing slash. */
  url: string;
  /** Where its operator reads mails or messages. */
  contact: string;
  /** Where support is reached, as people read it; null where the operator names no place. */
  support: string | null;
}

/** What templates write with. */
export interface Writing extends Messages {
  dir: 'ltr' | 'rtl';
  site: MailSite;
  /** The address of a path of the site; that of the site for anything else. */
  url(path: string): string;
  /** What people wrote, ready to stand in a sentence: on one line, of a bounded length (120), in its own direction. */
  quoted(text: string, max_length?: number): string;
}
