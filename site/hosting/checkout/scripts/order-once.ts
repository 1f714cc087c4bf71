import type { ApiError } from '../../../platform/browser/api-client.ts';

/**
 * An order that got no answer may have arrived. Sending it again is the same order by its id, also after the page was
 * loaded again: this stores the id until there is an answer.
 */
const storage_key = 'order.unanswered';
const field = document.querySelector<HTMLInputElement>('input[name=op_id]');
const form = field?.form;

const isAnswered = ({ status }: ApiError): boolean => status > 0 && status < 500;

/** The stored id of this order; null without one, and without storage. */
function storedId(choice: string): string | null {
  try {
    const [before, op_id] = (sessionStorage.getItem(storage_key) ?? '').split(' ');
    return before === choice ? (op_id ?? null) : null;
  } catch {
    return null;
  }
}

function store(text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(storage_key);
    else sessionStorage.setItem(storage_key, text);
  } catch {} // without storage the page itself has the id until it is left
}

if (field && form) {
  const choice = location.search;
  field.value = storedId(choice) ?? field.value;
  form.addEventListener('submit', () => store(`${choice} ${field.value}`));
  form.addEventListener('form:sent', () => store(null));
  form.addEventListener('form:refused', ({ detail }: CustomEventInit<ApiError>) => {
    if (detail && isAnswered(detail)) store(null);
  });
}
