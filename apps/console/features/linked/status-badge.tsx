import { t } from './routes.ts';

const TONES: Readonly<Record<string, string>> = { publish: 'good', future: 'info', pending: 'warn', trash: 'bad' };

/** Whether a record is published. */
export function StatusBadge({ status }: { status: string }) {
  // The server's statuses, each of which has a text.
  const shown = status as 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';
  return <span className={`badge ${TONES[status] ?? ''}`}>{t(`status.${shown}`)}</span>;
}
