import { type FormState, formState } from '../../platform/forms/form-state.ts';
import { deleteMessageForm, replyForm, reportStateForm } from './message-forms.server.ts';

/** The forms of a thread, as they stand on its page. */
export interface ThreadForms {
  reply: FormState;
  removal: FormState;
  /** Closes and reopens the report. */
  state: FormState;
}

export const threadForms = (page: Parameters<typeof formState>[0]): ThreadForms => ({
  reply: formState(page, replyForm),
  removal: formState(page, deleteMessageForm),
  state: formState(page, reportStateForm),
});
