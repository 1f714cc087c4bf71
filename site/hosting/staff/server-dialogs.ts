import type { StaffServer } from '#db/hosting/servers/staff/view.ts';
import { factsOf } from '../shared/state.ts';

/** A dialog about a server of the list. */
export interface OpenDialog {
  kind: 'move' | 'cancel_move' | 'resize' | 'suspend';
  of: StaffServer;
}

/** What every dialog gets. */
export interface DialogProps {
  of: StaffServer;
  done(): void;
}

/** The input of the rules about moves and sizes. */
export const staffFacts = ({ server }: StaffServer) => ({ ...factsOf(server), moving: server.moving });
