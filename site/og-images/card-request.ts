import type { Messages } from '#content/messages.ts';
import type { AppServices } from '../context.ts';
import type { Language } from '../text/languages.ts';

/** What a card is made with: the app's services, and the texts of the language it is for. */
export interface CardRequest {
  services: AppServices;
  texts: Messages;
  dir: Language['dir'];
}
