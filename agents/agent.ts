import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import type { Logger } from 'pino';
import type { ServerSpec } from '#control/protocol/agent.ts';
import { ownLabels } from './containers.ts';
import { folderCounts } from './counting.ts';
import { Disks } from './disk/disks.ts';
import { serverNetwork } from './docker/network.ts';
import { watchEngine } from './engine.ts';
import { Fleet } from './fleet.ts';
import { imageNames } from './image-names.ts';
import { imageOf } from './images/image-of.ts';
import { imagePins } from './images/pins.ts';
import { openJournal } from './journal/journal.ts';
import { type ImageWanted, type Kind, kindOf } from './kinds.ts';
import { openLine } from './line.ts';
import type { TurnedAway } from './link.ts';
import type { AgentSettings } from './settings.ts';
import type { Workshop } from './workshop.ts';

export interface AgentNeeds {
  settings: AgentSettings;
  log: Logger;
  /** The plane does not want this agent. */
  turnedAway(error: TurnedAway): void;
  /** Other kinds than the product's: tests run small ones. */
  kindOf?(spec: Pick<ServerSpec, 'kind'>): Kind | null;
  imageOf?(docker: Docker, wanted: ImageWanted, say: (line: string) => void): Promise<string>;
}

/** Starts an agent in this process; `close` lets go of everything and leaves containers running. */
export function startAgent(needs: AgentNeeds): { close(): void } {
  const { settings, log } = needs;
  const journal = openJournal(settings.data);
  const disks = new Disks({ data: settings.data, wanted: settings.disk, engine: () => engine, log });
  const counts = folderCounts(settings.data, log);
  const engine = watchEngine(
    { log, filter: () => (journal.identity() ? ownLabels(shop.identity()) : null) },
    {
      up: () => fleet.engineUp(),
      down: () => {},
      event: (event) => fleet.engineTold(event),
    },
  );
  const images = imageNames(engine, {
    imageOf: needs.imageOf ?? imageOf,
    pins: imagePins(settings.data),
    say: (text) => log.info(text),
  });
  const network = serverNetwork(engine, log);
  const shop: Workshop = {
    engine,
    journal,
    url: settings.url,
    log,
    now: Date.now,
    data: settings.data,
    identity: () => {
      const identity = journal.identity();
      if (!identity) throw new Error('this node was not welcomed yet');
      return identity;
    },
    kindOf: needs.kindOf ?? kindOf,
    imageOf: images.nameOf,
    prepareNetwork: network.prepare,
    disks,
    consoleAdded: (server_id) => line.consoleAdded(server_id),
    eventAdded: () => line.eventAdded(),
    usedMb: async (server_id, when) => (await disks.imageMb(server_id)) ?? counts.usedMb(server_id, when),
  };
  const fleet: Fleet = new Fleet(shop, () => line.seenChanged());
  const line = openLine({ settings, shop, fleet, boot_id: randomUUID(), turnedAway: needs.turnedAway });
  fleet.begin();
  return {
    close() {
      line.close();
      fleet.close();
      engine.close();
      journal.close();
    },
  };
}
