import { setTimeout } from 'node:timers/promises';
import type { PlanePlace } from '#db/hosting/planes/read.ts';
import type { Versions } from '#db/hosting/planes/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Sealer } from '#db/platform/secrets/seal.ts';
import { proof_purpose } from '../protocol/plane.ts';
import type { Membership } from './membership.ts';
import { PlaneLink } from './plane-link.ts';

type LinkEvents = ConstructorParameters<typeof PlaneLink>[1]['events'];

interface Options {
  membership: Membership;
  sealer: Sealer;
  now(): Date;
  versions: Versions;
  events: LinkEvents;
  onClosed(link: PlaneLink): void;
}

/** Whoever asks serves nobody else meanwhile, but a busy plane must not be taken for one that could take over. */
const status_timeout_ms = 3_000;
/** A plane that does not answer by then is not waited for any longer: it may be dead. */
const joined_timeout_ms = 2_000;

/** The links to the other planes, one to each that is needed. */
export class PlaneLinks {
  readonly #options: Options;
  readonly #links = new Map<string, PlaneLink>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The open link to a plane. Throws `plane_away` when it is dead or not responding, and `plane_protocol`. */
  async to(plane_id: string): Promise<PlaneLink> {
    const link = this.#links.get(plane_id) ?? (await this.#open(plane_id));
    await link.opened;
    return link;
  }

  async #open(plane_id: string): Promise<PlaneLink> {
    const address = await this.#options.membership.addressOf(plane_id);
    if (address === null) throw new Refused('plane_away');
    // another caller may have been faster
    return this.#links.get(plane_id) ?? this.#connect({ id: plane_id, address });
  }

  #connect({ id: plane_id, address }: PlanePlace): PlaneLink {
    const { membership, sealer, now, versions, events, onClosed } = this.#options;
    const own_id = membership.id;
    const link = new PlaneLink(
      { id: plane_id, address },
      {
        ...{ own_id, versions, events },
        prove: (to) => sealer.seal(JSON.stringify({ from: own_id, to, at: now().getTime() }), proof_purpose),
        onClosed: (closed) => {
          if (this.#links.get(plane_id) === closed) this.#links.delete(plane_id);
          onClosed(closed);
        },
      },
    );
    this.#links.set(plane_id, link);
    return link;
  }

  /**
   * Tells other planes that this one, reached at `address`, has joined. Resolves when all know it, or with those that did
   * not respond in time.
   */
  async announce(planes: readonly PlanePlace[], address: string): Promise<PlanePlace[]> {
    const missing = new Set(planes);
    const told = planes.map(async (plane) => {
      const link = this.#links.get(plane.id) ?? this.#connect(plane);
      await link.opened;
      await link.request('plane.joined', { address }, joined_timeout_ms);
      missing.delete(plane);
    });
    const late = setTimeout(joined_timeout_ms, undefined, { ref: false });
    await Promise.race([Promise.allSettled(told), late]);
    return [...missing];
  }

  /** Planes died: what still waits for an answer of theirs gets none. */
  closeAllBut(alive: ReadonlySet<string>): void {
    for (const [plane_id, link] of [...this.#links]) if (!alive.has(plane_id)) link.close();
  }

  /** Whether another plane renews its membership; one that does not answer may. */
  async isAnyRenewing(): Promise<boolean> {
    const renewing = this.#options.membership.others.map(async ({ id }) => {
      const link = await this.to(id);
      return (await link.request('plane.status', {}, status_timeout_ms)).renewing;
    });
    const answers = await Promise.all(renewing.map((one) => one.catch(() => true)));
    return answers.includes(true);
  }

  /** Links that are open. */
  get count(): number {
    return this.#links.size;
  }

  close(): void {
    this.closeAllBut(new Set());
  }
}
