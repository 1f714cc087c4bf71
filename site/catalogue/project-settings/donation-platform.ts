import { isHostOf } from '#db/catalogue/checklist/data/hosts.ts';

const hosts = {
  patreon: ['patreon.com'],
  bmac: ['buymeacoffee.com'],
  paypal: ['paypal.com', 'paypal.me'],
  'ko-fi': ['ko-fi.com'],
} as const;

/** The donation platform that an address most probably belongs to; `other` when no name fits. */
export function donationPlatformOf(url: string): string {
  const [found] = Object.entries(hosts).find(([, names]) => isHostOf(url, names)) ?? [];
  if (found) return found;
  return isHostOf(url, ['github.com']) && new URL(url).pathname.startsWith('/sponsors/') ? 'github' : 'other';
}
