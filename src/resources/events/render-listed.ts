import { type DataState, renderedOnce } from '../../db/data-memory.ts';
import { isStranger } from '../../http/auth.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import type { RenderedJson } from '../../lib/rendered-json.ts';
import { isLocked } from '../posts/event-password.ts';
import { loadRelations } from './relations.ts';
import { getEvents } from './store.ts';
import type { EventTickets } from './ticketing.ts';
import { renderEvent, renderOptions } from './view.ts';

interface ListOptions {
  tickets: EventTickets;
  /** The password of the request. */
  password?: string;
  state: DataState;
}

/** The JSON of some events for a list, in the order of their ids; masked where they are locked for the caller. */
export function renderListed(
  ctx: RequestContext,
  ids: readonly number[],
  { tickets, password, state }: ListOptions,
): Promise<RenderedJson[]> {
  const { language, urls, viewer, context } = ctx;
  const render = async (records: readonly { id: number }[]) => {
    const events = await getEvents(
      context.db,
      records.map(({ id }) => id),
    );
    const relations = await loadRelations(ctx, events, tickets);
    const options = renderOptions(ctx);
    const shown = new Map(
      events.map((event) => {
        const masked = isLocked(event, viewer, password);
        return [event.id, renderEvent(event, relations, { ...options, masked })];
      }),
    );
    return records.map(({ id }) => shown.get(id));
  };
  const isShared = isStranger(viewer) && password === undefined;
  return renderedOnce(
    isShared ? state : undefined,
    ids.map((id) => ({ id })),
    { prefix: `event ${language} ${urls.style}`, render },
  );
}
