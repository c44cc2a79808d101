import { useQuery } from '@tanstack/react-query';
import type { BatchCall } from '../../../../packages/client/src/marquee-client.ts';
import type { BulkState } from '../../../client/bulk.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { BulkReport, useBatch } from '../../ui/table/bulk-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { readTree, refreshTerms } from './reads.ts';
import { t } from './routes.ts';
import type { Taxonomy, TermRow } from './terms.ts';
import { countChildren, pathOf } from './tree.ts';

/** As many names as are read before something is deleted. */
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

/** Says what deleting terms does, in numbers, and deletes them. There is no way back. */
export function DeleteTerms({ taxonomy, rows, onClose }: DeleteTermsProps) {
  const bulk = useBatch(callOf(taxonomy));
  const { data: tree } = useQuery(readTree(taxonomy === 'categories'));
  const all = tree?.rows ?? [];
  const children = countChildren(new Set(rows.map(({ id }) => id)), all);
  const byEvents = rows.toSorted((one, other) => other.events - one.events);
  const title = t(`delete.${taxonomy}`, { count: rows.length });
  // Also after another try of what failed.
  const tell = async ({ changed, failed }: BulkState<TermRow>) => {
    await refreshTerms(taxonomy);
    if (changed.length > 0) toast(t(`deleted.${taxonomy}`, { count: changed.length }));
    if (failed.length === 0) onClose();
  };
  const run = () => {
    // Those below others first: what is below a deleted one moves, which is a change of it.
    const depth = ({ id }: TermRow) => pathOf(id, all).length;
    const deepestFirst = rows.toSorted((one, other) => depth(other) - depth(one));
    void bulk.start(title, deepestFirst, tell);
  };
  if (bulk.run) return <BulkReport bulk={bulk} nameOf={({ term }) => term.name} onClose={onClose} />;
  return (
    <DialogBox
      role="alertdialog"
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('keep')}</Button>
          <Button look="bad" onPress={run}>
            {title}
          </Button>
        </>
      }
    >
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
    </DialogBox>
  );
}
