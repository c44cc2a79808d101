import type { AuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { t } from './routes.ts';

/** Who made a change: the account, with the program that acted for it, or how it came otherwise. */
export function whoOf({ user, means, credential }: Pick<AuditEntry, 'user' | 'means' | 'credential'>): string {
  const name = user && (user.name || t('removed_account'));
  const way = means && means !== 'session' ? t(`means.${means}`) : '';
  return [name, way, credential?.name].filter(Boolean).join(' · ');
}
