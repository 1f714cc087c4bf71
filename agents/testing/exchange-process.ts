import { type ExchangeMode, exchangeFiles } from './exchange.ts';

/** `exchangeFiles` as a process of its own that is killed before a step: `exchange-process.ts FOLDER UID MODE STEP`. */
const [, , root = '', uid = '', mode = '', last = ''] = process.argv;
await exchangeFiles(root, Number(uid), mode as ExchangeMode, (step) => {
  if (step === Number(last)) process.kill(process.pid, 'SIGKILL');
});
