import { showToast } from '../../browser/toasts.store.ts';
import { switchFlag } from '../../flags/flags.store.ts';
import { readMessages } from '../../text/message-reader.ts';

/** Turns developer mode on or off, and says so. */
export function switchDeveloper(on: boolean): void {
  switchFlag('developerMode', on);
  const foot = document.querySelector<HTMLElement>('[data-logo][data-messages]');
  if (!foot) return;
  const { t } = readMessages<'shell.developer_on' | 'shell.developer_off'>(foot);
  showToast({
    type: 'info',
    title: t(on ? 'shell.developer_on' : 'shell.developer_off'),
    text: t(on ? 'shell.developer_on_text' : 'shell.developer_off_text'),
  });
}
