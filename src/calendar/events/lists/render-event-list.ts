import { type CachedData, renderCached } from '../../../db/data-cache.ts';
import { isAnonymous } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { isLocked } from '../../posts/event-password.ts';
import { loadRelations } from '../relations.ts';
import { getEvents } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import { renderEvent, renderOptions } from '../view.ts';

interface ListOptions {
  tickets: EventTickets;
  /** Password of the request. */
  password?: string;
  state: CachedData;
}

/** Events as lists show them to the viewer, in the order of their ids; locked ones are masked. */
export async function renderEvents(
  ctx: RequestContext,
  ids: readonly number[],
  { tickets, password }: Pick<ListOptions, 'tickets' | 'password'>,
) {
  const events = await getEvents(ctx.context.db, ids);
  const relations = await loadRelations(ctx, events, tickets);
  const options = renderOptions(ctx);
  return events.map((event) => ({
    event,
    body: renderEvent(event, relations, { ...options, masked: isLocked(event, ctx.viewer, password) }),
  }));
}

/** Events for a list, as `renderCached` returns them, in the order of their ids; events locked for the viewer are masked. */
export function renderListed(
  ctx: RequestContext,
  ids: readonly number[],
  { tickets, password, state }: ListOptions,
): Promise<readonly unknown[]> {
  const { language, urls, viewer } = ctx;
  const render = async (records: readonly { id: number }[]) => {
    const missing = records.map(({ id }) => id);
    const rendered = await renderEvents(ctx, missing, { tickets, password });
    const shown = new Map(rendered.map(({ body }) => [body.id, body]));
    return missing.map((id) => shown.get(id));
  };
  const isShared = isAnonymous(viewer) && password === undefined && ctx.context.db.memory.isOn;
  return renderCached(
    isShared ? state : undefined,
    ids.map((id) => ({ id })),
    { prefix: `event ${language} ${urls.style}`, render },
  );
}
