import type { QueryFunctionContext } from '@tanstack/react-query';
import type { Me } from '../../../../packages/client/src/marquee-client.ts';
import { LINKED_KINDS } from '../../../../src/lib/linked-kinds.ts';
import { hasRight } from '../../data/account.ts';
import { readNow } from '../../data/queries.ts';
import type { Target } from './values.ts';

/** Maximum number of authors that are named; others are shown by their ids. */
const MOST = 100;

interface Asking {
  /** The user's own account. */
  me: Me;
  signal: AbortSignal;
}

/** Current name of a record; its id if it is deleted or not visible to the account. */
async function findName(target: Target, id: number, { me, signal }: Asking): Promise<string> {
  const input = { id };
  switch (target) {
    case 'event':
      return (await readNow('GET /events/v1/events/{id}', input, signal)).title;
    case 'category':
      return (await readNow('GET /events/v1/categories/{id}', input, signal)).name;
    case 'tag':
      return (await readNow('GET /events/v1/tags/{id}', input, signal)).name;
    case 'ticket':
      return String((await readNow('GET /tickets/v1/tickets/{id}', input, signal)).title);
    case 'media':
      return (await readNow('GET /admin/v1/media/{id}', input, signal)).alt ?? '';
    case 'user': {
      if (id === me.id) return me.username;
      if (!hasRight(me, 'edit_others')) return '';
      const { authors } = await readNow('GET /admin/v1/authors', { per_page: MOST }, signal);
      return authors.find((one) => one.id === id)?.name ?? '';
    }
    case 'order':
      return '';
    default:
      return String(
        Reflect.get(await readNow(`GET /events/v1/${LINKED_KINDS[target].plural}/{id}`, input, signal), target),
      );
  }
}

export const nameQuery = (target: Target, id: number, me: Me) => ({
  queryKey: ['name', target, id],
  queryFn: ({ signal }: QueryFunctionContext) => findName(target, id, { me, signal }).catch(() => ''),
});
