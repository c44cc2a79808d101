import type { Mail } from '../../../../packages/client/src/marquee-client.ts';
import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('mails');

/** Statuses of mails, those that need staff first. */
export const MAIL_STATUSES = [
  'held',
  'failed',
  'bounced',
  'queued',
  'sent',
] as const satisfies readonly Mail['status'][];

/** Whether a mail did not arrive and needs staff. */
export const isUndelivered = ({ status }: Mail): boolean =>
  status === 'held' || status === 'failed' || status === 'bounced';
