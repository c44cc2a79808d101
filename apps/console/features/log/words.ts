import type { AuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { useSite } from '../../data/account.ts';
import { money, when } from '../../i18n/formats.ts';
import { type CommonText, t as commonText } from '../../i18n/texts.ts';
import { orderStatus, paymentName } from '../../shared/orders/order-status.tsx';
import type en from './locales/en.json';
import { t } from './routes.ts';
import { fieldKeys, type ValueWords } from './values.ts';

/** Text of a key that may not exist: fields and values come from the server. */
function find(key: string): string | undefined {
  const text = t(key as keyof typeof en);
  return text === key ? undefined : text;
}

/** Label of a field, as in its form. */
export function fieldName(kind: string, field: string): string {
  const [own, common] = fieldKeys(kind, field);
  return find(own) ?? find(common) ?? field;
}

/** Present name of an account; undefined if it is deleted. */
export type AccountName = (id: number) => string | undefined;

type Named = Pick<AuditEntry, 'kind' | 'title' | 'record_id'>;

/** Name of a record; the log names neither the site nor people, so accounts have their present names. */
export function recordName({ kind, title, record_id }: Named, nameOf: AccountName = () => undefined): string {
  const present = kind === 'user' ? nameOf(record_id) : undefined;
  const name = title || present || (kind === 'site' ? '' : t('number', { id: String(record_id) }));
  return [t(`kind.${kind}`), name].filter(Boolean).join(' · ');
}

/** Words and formats for the values of the log. */
export function useValueWords(): ValueWords {
  const { currency, payment_ways } = useSite();
  return {
    when,
    orderStatus,
    word: (field, value) => find(`value.${field}:${value}`),
    role: (name) => commonText(`role.${name}` as CommonText),
    payment: (id) => paymentName(id, payment_ways),
    money: (minor) => money(minor, currency),
    fieldName,
    pair: (name, value) => t('pair', { name, value }),
  };
}

/** Author of a change: the account with its program, or the origin of a change without an account. */
export function whoOf({ user, means, credential }: Pick<AuditEntry, 'user' | 'means' | 'credential'>): string {
  const name = user && (user.name || t('removed_account'));
  const way = means && means !== 'session' ? t(`means.${means}`) : '';
  return [name, way, credential?.name].filter(Boolean).join(' · ');
}
