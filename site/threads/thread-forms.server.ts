import { deleteMessageForm, replyForm, reportStateForm } from '../api/internal/threads.ts';
import { type FormState, formState } from '../forms/form-state.ts';

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
