import { readSiteSettings } from '../../db/site-settings.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { isRecord } from '../../lib/text/list.ts';
import type { AuditedKind, Values } from '../audit/kind.ts';

/** Id of the only site in the audit log. */
export const SITE_ID = 1;

/** Audit of the site's settings. */
export const auditedSite: AuditedKind = {
  name: 'site',
  async snapshot(db) {
    const { revision, logo_id: logo, texts, ...settings } = await readSiteSettings(db);
    const { colors, contact, cancellation, payment_ways, address_words, second_factor_roles } = settings;
    const { languages, timezone, currency, currency_symbol, collapse_series, seller } = settings;
    const { accepts_donations, donation_amounts, sends_reminders } = settings;
    const filled = (value: object) => (Object.keys(value).length > 0 ? value : undefined);
    return {
      title: '',
      revision,
      fields: {
        logo,
        colors: filled(colors),
        contact: filled(contact),
        ...(filled(seller) && { seller }),
        cancellation,
        payment_ways,
        address_words,
        second_factor_roles,
        ...(collapse_series && { collapse_series }),
        ...(sends_reminders && { sends_reminders }),
        ...(accepts_donations && { accepts_donations }),
        ...(donation_amounts.length > 0 && { donation_amounts }),
        ...(languages && { languages }),
        ...(timezone !== null && { timezone }),
        ...(currency !== null && { currency }),
        ...(currency_symbol !== null && { currency_symbol }),
      },
      texts: Object.fromEntries(
        Object.entries(texts).map(([language, { payment_ways: texts_of_payment_ways, ...own }]) => [
          language,
          { ...own, texts_of_payment_ways },
        ]),
      ),
    };
  },
  restoring: { endpoint: 'site.update', paramsOf },
};

/** Objects whose members `site.update` merges. */
const MERGED = ['colors', 'contact', 'seller'] as const;

/** Lists that `site.update` ignores when they are null, as the log stores empty lists. */
const EMPTIED = ['payment_ways', 'second_factor_roles'] as const;

/** Removes members that did not exist before. */
async function paramsOf({ context }: RequestContext, _id: number, values: Values): Promise<Values> {
  const present = await readSiteSettings(context.db);
  const merged = MERGED.flatMap((name) => {
    const before = values[name];
    if (!isRecord(before)) return [];
    const removed = Object.keys(present[name]).filter((member) => !Object.hasOwn(before, member));
    return [[name, { ...Object.fromEntries(removed.map((member) => [member, null])), ...before }]];
  });
  const emptied = EMPTIED.filter((name) => values[name] === null).map((name) => [name, []]);
  return { ...values, ...Object.fromEntries([...merged, ...emptied]) };
}
