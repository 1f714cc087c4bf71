/** Search and copy buttons of the handbooks are loaded when somebody first goes to the page with pointer or keyboard. */
const names = ['pointerover', 'focusin'] as const;
async function load(): Promise<void> {
  for (const name of names) document.removeEventListener(name, load);
  try {
    (await import('../tools.ts')).start();
  } catch {
    listen(); // no connection: the next movement tries again
  }
}
const listen = (): void => {
  for (const name of names) document.addEventListener(name, load);
};
listen();
if (document.activeElement !== document.body) void load();

export {}; // a module: its names are its own
