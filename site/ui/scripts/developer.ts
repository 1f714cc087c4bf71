import { showToast } from '../../browser/toasts.store.ts';
import { $flags, switchFlag } from '../../flags/flags.store.ts';
import { registerClick } from '../../flags/logo-clicks.ts';
import { readMessages } from '../../text/message-reader.ts';

/**
 * Developer mode: five clicks on a logo toggle it, `[data-developer-off]` ends it, and `data-developer` on `<html>`
 * shows `.developer-only`. Source: specification §4, §9.
 */
const root = document.documentElement;
const stored = 'logo';

$flags.subscribe(({ developerMode }) => root.toggleAttribute('data-developer', developerMode));

function switchTo(on: boolean): void {
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

document.addEventListener('click', (event) => {
  const target = event.target as Element;
  if (target.closest('[data-developer-off]')) return switchTo(false);
  const logo = target.closest<HTMLElement>('[data-logo]');
  if (!logo || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const received = registerClick(sessionStorage.getItem(stored), Date.now());
  sessionStorage.setItem(stored, received.clicks);
  // a link to the current page would only reload it
  const isHere = logo instanceof HTMLAnchorElement && logo.href === location.href;
  if (isHere) scrollTo({ top: 0 });
  if (isHere || received.done) event.preventDefault();
  if (received.done) switchTo(!$flags.get().developerMode);
});
