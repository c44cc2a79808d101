import type { Context } from '../../base/context.ts';
import { withPresentChoices } from '../../base/site-config.ts';
import { Urls } from '../../http/core/urls.ts';
import { every, type PeriodicJob } from '../../jobs/periodic.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { administratorContext, type EndpointOf } from '../../platform/users/in-process-context.ts';
import { claim, findDue } from './store.ts';

/** Subscriptions per run: each takes up to a minute. */
const PER_RUN = 5;

/** Reads the calendars that are due. Each is taken before it is read, so that two processes never read it at once. */
export async function readDueSubscriptions(context: Context, endpointOf: EndpointOf): Promise<number> {
  const { db, log } = context;
  const due = await findDue(db, toUtc(context.now()), PER_RUN);
  if (due.length === 0) return 0;
  const { readSubscription } = await import('./read-subscription.ts');
  const present = await withPresentChoices(context);
  const { url, languages } = present.config;
  for (const subscription of due) {
    if (!(await claim(db, subscription, toUtc(context.now())))) continue;
    const ctx = await administratorContext(present, endpointOf);
    const language = languages[0] ?? ctx.language;
    try {
      await readSubscription(subscription, { ...ctx, urls: new Urls(url ?? 'http://localhost'), language });
    } catch (err) {
      log.error({ err, subscription: subscription.id }, 'a calendar could not be imported');
    }
  }
  return due.length;
}

export const subscriptionJob = (endpointOf: EndpointOf): PeriodicJob =>
  every('reading calendars', 300, (context) => readDueSubscriptions(context, endpointOf));
