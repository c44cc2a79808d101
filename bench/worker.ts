/** One process of our own client: measures the load that it is sent, sends back what it took, and ends. */
import { once } from 'node:events';
import { type Load, timeRequests } from './client.ts';

const [load] = (await once(process, 'message')) as [Load]; // what workers.ts sends
process.send?.(await timeRequests(load));
process.disconnect?.();
