import { createServer } from 'node:http';
import { parseControlAddress } from '#db/platform/runtime/control-address.ts';
import { openControlPlanes } from '#site/platform/http/control-planes.ts';
import { socketProxy } from '#site/platform/http/socket-proxy.ts';

/** The part of the site that every viewer's socket passes, for the control plane at the address `site.ts ADDRESS`. */
const planes = openControlPlanes([parseControlAddress(process.argv[2]!)]);
const proxy = socketProxy({ planes, addressOf: (req) => String(req.headers['x-forwarded-for']) });
const server = createServer().on('upgrade', proxy.upgrade);
server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit(0));
