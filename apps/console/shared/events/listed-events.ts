import type { Event, Input } from '../../../../packages/client/src/marquee-client.ts';

/** Names of the venues of an event. */
export const whereOf = ({ venue }: Pick<Event, 'venue'>): string =>
  [venue]
    .flat()
    .map(({ venue: name }) => name)
    .join(', ');

/** Maximum number of events per page of the server. */
const MOST = 100;

/** Parameters that list the events of given ids that the account may read, whatever their status. */
export const listedEvents = (ids: readonly number[]): Input<'GET /events/v1/events'> => ({
  include: [...new Set(ids)].sort((one, other) => one - other).slice(0, MOST),
  per_page: MOST,
});
