/** One process of our own client: measures the load that it is sent, and sends back what it took. */
import { once } from 'node:events';
import { type Load, timeRequests } from './client.ts';

const [load] = (await once(process, 'message')) as [Load]; // what workers.ts sends
process.send?.(await timeRequests(load));
await once(process, 'disconnect');
