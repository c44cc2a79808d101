import type { AuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { useSite } from '../../data/account.ts';
import { money, when } from '../../i18n/formats.ts';
import { type FrameText, t as frameText } from '../../i18n/texts.ts';
import { orderStatus, paymentName } from '../../shared/orders/order-status.tsx';
import type en from './locales/en.json';
import { t } from './routes.ts';
import { fieldKeys, type ValueWords } from './values.ts';

/** A text that there may not be: names of fields and values come from the server. */
function find(key: string): string | undefined {
  const text = t(key as keyof typeof en);
  return text === key ? undefined : text;
}

/** The name of a field, in the words of the form that changes it. */
export function fieldName(kind: string, field: string): string {
  const [own, common] = fieldKeys(kind, field);
  return find(own) ?? find(common) ?? field;
}

/** What a record is called; the site has no name in the log, and neither have people. */
export function recordName({ kind, title, record_id }: Pick<AuditEntry, 'kind' | 'title' | 'record_id'>): string {
  const name = title || (kind === 'site' ? '' : t('number', { id: String(record_id) }));
  return [t(`kind.${kind}`), name].filter(Boolean).join(' · ');
}

/** What values are said with. */
export function useValueWords(): ValueWords {
  const { currency, payment_ways } = useSite();
  return {
    when,
    orderStatus,
    word: (field, value) => find(`value.${field}:${value}`),
    role: (name) => frameText(`role.${name}` as FrameText),
    payment: (id) => paymentName(id, payment_ways),
    money: (minor) => money(minor, currency),
    fieldName,
    pair: (name, value) => t('pair', { name, value }),
  };
}

/** Who made a change: the account, with the program that acted for it, or how it came otherwise. */
export function whoOf({ user, means, credential }: Pick<AuditEntry, 'user' | 'means' | 'credential'>): string {
  const name = user && (user.name || t('removed_account'));
  const way = means && means !== 'session' ? t(`means.${means}`) : '';
  return [name, way, credential?.name].filter(Boolean).join(' · ');
}
