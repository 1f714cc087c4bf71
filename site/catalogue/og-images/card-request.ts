import type { Messages } from '#content/messages.ts';
import type { AppServices } from '../../platform/context.ts';
import type { Language } from '../../platform/text/languages.ts';

/** The context of an Open Graph image: the app's services, and the messages of its language. */
export interface CardRequest {
  services: AppServices;
  texts: Messages;
  dir: Language['dir'];
}
