import { useQuery } from '@tanstack/react-query';
import type { BatchCall } from '../../../../packages/client/src/marquee-client.ts';
import type { BulkState } from '../../../client/bulk.ts';
import { useBatch } from '../../data/bulk-action.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { BulkReport } from '../../ui/table/bulk-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';
import { readTree, refreshTerms, type Taxonomy, type TermRow } from './terms.ts';
import { countChildren, pathOf } from './tree.ts';

/** Maximum number of names in the question. */
const MOST_NAMED = 8;

interface DeleteTermsProps {
  taxonomy: Taxonomy;
  rows: readonly TermRow[];
  onClose: () => void;
}

const callOf =
  (taxonomy: Taxonomy) =>
  ({ id, term: { revision } }: TermRow): BatchCall => ({
    method: 'DELETE',
    path: `/calendar/events/v1/${taxonomy}/${id}`,
    if_match: `"r${revision}"`,
  });

/** Asks before terms are deleted, with the numbers of events and subcategories. It cannot be undone. */
export function DeleteTerms({ taxonomy, rows, onClose }: DeleteTermsProps) {
  const bulk = useBatch(callOf(taxonomy));
  const { data: tree } = useQuery(readTree(taxonomy === 'categories'));
  const all = tree?.rows ?? [];
  const children = countChildren(new Set(rows.map(({ id }) => id)), all);
  const byEvents = rows.toSorted((one, other) => other.events - one.events);
  const title = t(`delete.${taxonomy}`, { count: rows.length });
  // Follows retries too.
  const report = async ({ changed, failed }: BulkState<TermRow>) => {
    await refreshTerms(taxonomy);
    if (changed.length > 0) toast(t(`deleted.${taxonomy}`, { count: changed.length }));
    if (failed.length === 0) onClose();
  };
  const run = () => {
    // Deepest first: children of a deleted category move up, which changes their revision.
    const depth = ({ id }: TermRow) => pathOf(id, all).length;
    const deepestFirst = rows.toSorted((one, other) => depth(other) - depth(one));
    void bulk.start(title, deepestFirst, report);
  };
  if (bulk.run) return <BulkReport bulk={bulk} nameOf={({ term }) => term.name} onClose={onClose} />;
  return (
    <ConfirmDialog role="alertdialog" title={title} action={title} cancel={t('keep')} onConfirm={run} onClose={onClose}>
      <ul className="term-names">
        {byEvents.slice(0, MOST_NAMED).map(({ id, term, events }) => (
          <li key={id}>
            <strong>{term.name}</strong> {events > 0 ? t('delete.events', { count: events }) : t('delete.no_events')}
          </li>
        ))}
        {rows.length > MOST_NAMED && <li>{t('delete.more', { count: rows.length - MOST_NAMED })}</li>}
      </ul>
      {children > 0 && <p>{t('delete.children', { count: children })}</p>}
      <p>{t('delete.final')}</p>
    </ConfirmDialog>
  );
}
