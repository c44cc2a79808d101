import type { Fee, Promotion, TaxRate } from '../../../../../packages/client/src/marquee-client.ts';
import { localOf } from '../../../../client/when.ts';
import { money, percent, when } from '../../../i18n/formats.ts';
import { t } from '../routes.ts';

/** Name and details of records in lists. */
export interface PriceText {
  name: string;
  detail: string;
}

/** Both in a line. */
export const lineOf = ({ name, detail }: PriceText): string => `${name} · ${detail}`;

export const taxRateText = ({ name, rate, included }: TaxRate): PriceText => ({
  name: `${name} ${percent(rate)}`,
  detail: t(included ? 'prices.included' : 'prices.added'),
});

export function feeText({ name, fixed, rate, per, event_id }: Fee, currency: string): PriceText {
  const parts = [fixed > 0 && money(fixed, currency), rate > 0 && percent(rate)].filter(Boolean);
  const detail = [
    parts.join(' + ') || money(0, currency),
    t(`prices.per.${per}`),
    ...(event_id === null ? [] : [t('prices.one_event')]),
  ];
  return { name, detail: detail.join(' · ') };
}

export function promotionText(promotion: Promotion, currency: string, now = new Date()): PriceText {
  const { code, kind, value, used, max_uses, event_id, ticket_ids, minimum, from_utc, until_utc } = promotion;
  const utc = now.toISOString().slice(0, 19).replace('T', ' ');
  const detail = [
    t(`prices.kind.${kind}`, { value: kind === 'percent' ? percent(value) : money(value, currency) }),
    max_uses === null ? t('prices.used', { count: used }) : t('prices.used_of', { count: used, most: max_uses }),
    ...(event_id === null && ticket_ids.length === 0 ? [] : [t('prices.some_tickets')]),
    ...(minimum > 0 ? [t('prices.from_amount', { amount: money(minimum, currency) })] : []),
    ...(from_utc !== null && from_utc > utc ? [t('prices.begins', { when: when.moment(localOf(from_utc)) })] : []),
    ...(until_utc === null ? [] : [untilText(until_utc, utc)]),
  ];
  return { name: code, detail: detail.join(' · ') };
}

const untilText = (until: string, now: string): string =>
  t(until <= now ? 'prices.ended' : 'prices.until', { when: when.moment(localOf(until)) });
