import type { AppServices } from '../context.ts';
import { token } from './tokens.ts';

/** What every page may say of the settings: the address of the site and of its files. */
const known = { SITE_URL: token('SITE_URL'), CDN_URL: token('CDN_URL') };

const refuse = (what: string) => {
  throw new Error(
    `A prerendered page used ${what}, which exists only when the product runs: use <WhenSetting>, or load it in a script`,
  );
};

/**
 * The services of pages that are prerendered by the build: tokens instead of settings, no database, no search. Anything
 * else fails the build by its name.
 */
export const buildServices = (): AppServices =>
  new Proxy({} as AppServices, {
    get(_, name) {
      if (name === 'settings') return settings;
      if (name === 'now') return () => new Date();
      return refuse(`services.${String(name)}`);
    },
  });

const settings = new Proxy(known, {
  get: (of, name) => (name in of ? Reflect.get(of, name) : refuse(`the setting ${String(name)}`)),
});
