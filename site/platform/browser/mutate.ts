import type { RefusalStep } from '#content/refusal-steps.ts';
import { confirmPath } from '../paths/confirm-path.ts';
import { stepPath } from '../paths/step-path.ts';
import { readMessages } from '../text/message-reader.ts';
import type { ApiError, ApiResult } from './api-client.ts';
import { isSaid } from './connection.store.ts';
import { signIn } from './sign-in.ts';
import { keepToast, showToast, type ToastMessage } from './toasts.store.ts';

/** Something that a page asks for and that may be refused: the request, and what follows its answer. */
export interface Mutation<T> {
  /** Sends the request; every attempt calls it. */
  send(): Promise<ApiResult<T>>;
  /** Whether sending it twice does the same as once: it sets a state, or has an operation id. Else there is no retry. */
  repeatable?: boolean;
  /** Shows the result. */
  refresh?(data: T): void;
  /** Says that it worked; after a redirect on the next page. */
  success?: Omit<ToastMessage, 'type'>;
  /** Title of the toast of a refusal, where the usual one says too little. */
  failure?: string | undefined;
  /** Where it leads: a path of ours. */
  redirect?(data: T): string | null;
  /** Shows a refusal in place: true when it did, and no toast is needed. */
  refused?: ((error: ApiError) => boolean) | undefined;
  /** Whether what it shows has the next step of a refusal: else a toast has it. */
  shows_step?: boolean;
}

/**
 * Runs a mutation: every write of a page goes through here. A refusal is shown as one toast, with a button to try again
 * where that is safe and may help, or not at all while the banner about the connection says why; a caller who is not signed in is redirected to sign-in, one
 * who must prove again who they are to the page for it; what else can be resolved has its next step as a button. What was
 * refused for want of a verified address is sent again once it is verified. Gives the result of the first
 * attempt; what has to follow later ones too belongs in `refresh`. Source: specification §8.
 */
export async function mutate<T>(mutation: Mutation<T>): Promise<ApiResult<T>> {
  const { send, refresh, success, redirect } = mutation;
  const result = await send();
  if (!result.ok) {
    fail(mutation, result.error);
    return result;
  }
  waiting = undefined;
  refresh?.(result.data);
  const to = redirect?.(result.data);
  if (success) (to ? keepToast : showToast)({ ...success, type: 'success' });
  if (to) location.assign(to);
  return result;
}

/** What waits until the address of its user is verified: the last one that was refused for it. */
let waiting: (() => void) | undefined;

/** Sends again what was refused for want of a verified address; nothing when something worked since. */
export const sendWaiting = (): void => waiting?.();

function fail<T>(mutation: Mutation<T>, error: ApiError): void {
  const { status, code, description } = error;
  // other refusals have this status too, such as `permission_missing`
  if (status === 401 && /^(auth|token)/.test(code)) {
    signIn();
    return;
  }
  if (code === 'proof_required') {
    const { to } = error.details;
    location.assign(typeof to === 'string' ? to : confirmPath(location.pathname + location.search));
    return;
  }
  waiting = /^(payout_)?email_unverified$/.test(code) ? () => void mutate(mutation) : undefined;
  const step = error.details.step as RefusalStep | undefined;
  const isShown = mutation.refused?.(error);
  if ((isShown && (!step || mutation.shows_step)) || isSaid(status)) return;
  const place = document.querySelector<HTMLElement>('[data-toasts]');
  if (!place) return;
  const { t } = readMessages<'shell.problem_' | 'form.offline'>(place);
  const mayHelp = !status || status === 429 || status > 499;
  showToast({
    type: 'error',
    title: mutation.failure ?? t('shell.problem_title'),
    text: description || t(status ? 'shell.problem_text' : 'form.offline'),
    error_code: code,
    retry: step
      ? () => location.assign(stepPath(step.to, location.pathname + location.search))
      : mutation.repeatable && mayHelp
        ? () => void mutate(mutation)
        : undefined,
    ...(step && { action: step.text }),
  });
}
