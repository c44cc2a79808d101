import { withPresentChoices } from '../base/site-config.ts';
import { readSiteSettings } from '../db/site-settings.ts';
import type { RequestContext } from '../http/core/endpoint.ts';
import { changeSite } from '../platform/site/save.ts';
import { fixedSettings } from '../platform/site/settings.ts';
import { CITY_ZONE, SITE } from './city.ts';

/**
 * Gives the site the name, the texts and the colours of the city, in the languages that both have. Settings that were
 * changed before stay as they are.
 * @returns the context with the time zone of the city
 */
export async function fillSite<C extends RequestContext>(ctx: C): Promise<C> {
  const { db, config } = ctx.context;
  const { revision } = await readSiteSettings(db);
  if (revision > 1) return ctx;
  const { texts, colors, contact, transfer } = SITE;
  const fixed = fixedSettings(config);
  const zone = fixed.includes('timezone') ? {} : { timezone: CITY_ZONE };
  await changeSite({ ...zone, colors, contact, cancellation: { rule: 'until', hours_before: 48 } }, ctx);
  const present = { ...ctx, context: await withPresentChoices(ctx.context) };
  const isNameFixed = fixed.includes('name');
  for (const language of config.languages) {
    const own = Object.entries(texts).find(([known]) => known === language)?.[1];
    if (!own) continue;
    const text = Object.entries(transfer).find(([known]) => known === language)?.[1];
    const payment_ways = [
      { id: 'door' },
      { id: 'transfer', hold_hours: transfer.hold_hours, ...(typeof text === 'string' && { text }) },
    ];
    const { name, ...others } = own;
    const change = { ...others, ...(!isNameFixed && { name }), payment_ways };
    await changeSite(change, { ...present, language, askedLanguage: language });
  }
  return present;
}
